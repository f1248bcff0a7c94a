package mcp

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/logging"
)

// inRing has a server's name be one step of a name, whatever strangers called it.
var inRing = strings.NewReplacer("%", "%25", "/", "%2F")

// ringName is the name that a server's key has in the keyring.
func ringName(server, name string) string { return "mcp/" + inRing.Replace(server) + "/" + name }

// moveKey gives a key that was kept when names stood in the keyring as they are the name that it has now. What may be another server's stays: a name with
// a percent sign reads like one of today, and what stands below args like an argument of the server before it.
func (m *Mounts) moveKey(ctx context.Context, server, name string) {
	if m.opt.Keys == nil || !strings.Contains(server, "/") || strings.Contains(server, "%") || strings.HasSuffix(strings.ToLower(server), "/args") || strings.Contains(name, "/") {
		return
	}
	was, now := "mcp/"+server+"/"+name, ringName(server, name)
	if kept, err := m.opt.Keys.Get(ctx, now); kept != "" || err != nil {
		return
	}
	kept, err := m.opt.Keys.Get(ctx, was)
	if kept == "" || err != nil {
		return
	}
	if err = m.opt.Keys.Set(ctx, now, kept); err == nil {
		err = m.opt.Keys.Set(ctx, was, "")
	}
	if err != nil {
		m.opt.Log.Warn().Err(err).Str("server", server).Msg("a key of an outside server stays under its old name in the keyring")
	}
}

// boundMark begins what is kept of a key that says for which program or address it was given. Keys that were kept once say nothing.
const boundMark = "for:"

// bound is a key as it is kept: under the same name, another program or address gets nothing of it.
func (s Server) bound(key string) string { return boundMark + s.source()[:16] + ":" + key }

// unbound is the key in what is kept; false when it was given for something else.
func (s Server) unbound(kept string) (key string, ok bool) {
	rest, marked := strings.CutPrefix(kept, boundMark)
	whose, key, _ := strings.Cut(rest, ":")
	if !marked {
		return kept, true
	}
	return key, whose == s.source()[:16]
}

// giveKeys keeps the keys of a server of a new text of mcp.json that a person filled in. What else it would have out of the keyring was not given to it.
// Errors: invalid_args, not_available, storage errors.
func (m *Mounts) giveKeys(ctx context.Context, text []byte, s Server, keys map[string]string) error {
	servers := ReadSettings(text).Servers
	if i := slices.IndexFunc(servers, func(o Server) bool { return o.Name == s.Name }); i >= 0 {
		s = servers[i] // as it will be read
	}
	s.bundles = m.bundles()
	for _, name := range s.ringNames() {
		if _, given := keys[name]; !given {
			return apperr.New(apperr.InvalidArgs, "detail", bilingual.Text{
				KO: "열쇠고리의 ‘" + name + "’ 키를 가리키는 내용이 들어 있어요. 키를 직접 넣어 주세요", EN: "it refers to the key “" + name + "” of the keyring; enter the key itself",
			})
		}
	}
	for name, key := range keys {
		if m.opt.Keys == nil {
			return apperr.New(apperr.NotAvailable, "what", "keyring")
		}
		if err := m.opt.Keys.Set(ctx, ringName(s.Name, name), s.bound(key)); err != nil {
			return err
		}
	}
	return nil
}

// ringNames are the names of the keys that a server's settings refer to.
func (s Server) ringNames() (list []string) {
	for _, values := range []map[string]string{s.Env, s.Headers} {
		for _, name := range slices.Sorted(maps.Keys(values)) {
			if strings.HasSuffix(values[name], inKeyring) {
				list = append(list, name)
			}
		}
	}
	for _, arg := range s.Args {
		for _, found := range argKey.FindAllStringSubmatch(arg, -1) {
			if name := argKeyName(found[1]); !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	return list
}

// ringKeys puts the keys in place of what stands for them in a server's settings. When one cannot be had, the server says why.
func (m *Mounts) ringKeys(ctx context.Context, s Server) Server {
	s.Env, s.Headers, s.bundles = maps.Clone(s.Env), maps.Clone(s.Headers), m.bundles()
	s.ringed = s.ringNames()
	keys := map[string]string{}
	if s.signsIn() {
		m.moveKey(ctx, s.Name, signInKey)
	}
	for _, name := range s.ringed {
		m.moveKey(ctx, s.Name, name)
		key, why := m.ringKey(ctx, s, name)
		if keys[name] = key; s.wrong == nil {
			s.wrong = why
		}
	}
	for _, values := range []map[string]string{s.Env, s.Headers} {
		for name, value := range values {
			if before, ok := strings.CutSuffix(value, inKeyring); ok {
				values[name] = before + keys[name]
			}
		}
	}
	for _, arg := range s.Args {
		for _, found := range argKey.FindAllStringSubmatch(arg, -1) {
			if s.argKeys == nil {
				s.argKeys = map[string]string{}
			}
			s.argKeys[found[0]] = keys[argKeyName(found[1])]
		}
	}
	return s
}

// ringKey gives one key, or why there is none.
func (m *Mounts) ringKey(ctx context.Context, s Server, name string) (key string, why *bilingual.Text) {
	kept, err := "", error(nil)
	if m.opt.Keys != nil && name != signInKey { // what signing in brought is no key for settings to name
		kept, err = m.opt.Keys.Get(ctx, ringName(s.Name, name))
	}
	key, own := s.unbound(kept)
	shown := strings.TrimPrefix(name, argKeyName(""))
	switch {
	case err != nil:
		return "", &bilingual.Text{
			KO: "열쇠고리에서 ‘" + shown + "’ 키를 읽지 못했어요. 열쇠고리가 잠겨 있으면 풀고 다시 시도해 주세요.",
			EN: "The key “" + shown + "” could not be read from the keyring. If that is locked, unlock it and try again.",
		}
	case key == "":
		return "", &bilingual.Text{
			KO: "열쇠고리에 ‘" + shown + "’ 키가 없어요. ‘바꾸기’에서 다시 넣어 주세요.", EN: "The keyring has no key for “" + shown + "”. Enter it again under “Change”.",
		}
	case !own:
		return "", &bilingual.Text{
			KO: "열쇠고리의 ‘" + shown + "’ 키는 다른 명령이나 주소에 준 것이라 쓰지 않았어요. ‘바꾸기’에서 다시 넣어 주세요.",
			EN: "The key “" + shown + "” of the keyring was given for another command or address and was not used. Enter it again under “Change”.",
		}
	}
	logging.Conceal(key)
	return key, nil
}

// forget takes the keys out of the keyring that a text of mcp.json has no use for any more. What only cannot be read at the moment keeps its keys, and so
// does a server that is another program or address by now: who undoes that has them again. Errors: the keyring's.
func (m *Mounts) forget(gone []*server, now Settings) error {
	var kept []error
	for _, v := range gone {
		i := slices.IndexFunc(now.Servers, func(s Server) bool { return s.Name == v.Name })
		if now.named == nil || i < 0 && now.named[v.Name] {
			continue
		}
		if v.account != nil && (i < 0 || now.Servers[i].URL == "") {
			kept = append(kept, v.account.keep(context.Background(), nil))
		}
		for _, name := range v.ringed {
			if m.opt.Keys != nil && (i < 0 || !slices.Contains(now.Servers[i].ringed, name)) {
				kept = append(kept, m.opt.Keys.Set(context.Background(), ringName(v.Name, name), ""))
			}
		}
	}
	return errors.Join(kept...)
}
