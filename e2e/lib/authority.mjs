// A real authorization server (oidc-provider) for the tests of signing in: registration of clients, PKCE, resource indicators, `iss`, refresh tokens
// that are used once. `node authority.mjs` says on its output where it is, and each request it was asked; it ends when its input does.
import { createServer } from 'node:http';

import Provider from 'oidc-provider';

const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);
const lasts = Number(process.env.ACCESS_LASTS ?? 3600);

const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [
      // The resource server, which asks what a token is good for.
      {
        client_id: 'resource-server',
        client_secret: 'resource-server-secret',
        redirect_uris: [],
        response_types: [],
        grant_types: [],
      },
    ],
    cookies: { keys: ['only for tests'] },
    scopes: ['openid', 'offline_access', 'notes', 'notes:write'],
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    pkce: { required: () => true },
    rotateRefreshToken: true,
    ttl: { AccessToken: lasts, Grant: 3600, Interaction: 600, RefreshToken: 3600, Session: 3600 },
    features: {
      devInteractions: { enabled: true },
      introspection: { enabled: true },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, audience) => ({
          audience,
          scope: 'notes notes:write',
          accessTokenTTL: lasts,
          accessTokenFormat: 'opaque',
        }),
      },
    },
  });
  provider.use(async (ctx, next) => {
    await next();
    const { route, params, body } = ctx.oidc ?? {};
    if (route) say({ route, status: ctx.status, params: { ...body, ...params } });
  });
  server.on('request', provider.callback());
  say({ issuer });
});
process.stdin.on('end', () => process.exit(0)).resume();
