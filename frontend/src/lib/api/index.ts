// The only place that calls Go. Every failure comes out as an ApiError, so callers handle one kind of thing.
import type * as App from '$wails/go/main/App';
import { OnFileDrop, OnFileDropOff } from '$wails/runtime/runtime';

import { inOrder } from '../inOrder';

import { ApiError, toApiError } from './error';

export { ApiError, toApiError };
export * from './types';

type Bound = typeof App;
/** Methods of App are called by their names, with a small letter first. */
type Named<K extends string> = K extends Uppercase<K> ? Lowercase<K> : Uncapitalize<K>;
type Lists = {
  [K in keyof Bound]: Awaited<ReturnType<Bound[K]>> extends unknown[] ? K : never;
}[keyof Bound];

/** Calls that answer with a list: Go encodes an empty one as null. The compiler asks for every one of them. */
const lists: Record<Lists, true> = {
  Approve: true,
  Audit: true,
  Outbound: true,
  CatalogueMCP: true,
  ElsewhereMCP: true,
  ProposeMCP: true,
  ResourcesMCP: true,
  PromptsMCP: true,
  CompletePrompt: true,
  Backups: true,
  ChooseAttachments: true,
  ChooseDocuments: true,
  DeletedChats: true,
  PageCommands: true,
  Diagnosis: true,
  ExportFormats: true,
  FavouriteArguments: true,
  FilePlan: true,
  FindInChat: true,
  Projects: true,
  Versions: true,
  History: true,
  JobLogs: true,
  Letters: true,
  Licences: true,
  Logs: true,
  Search: true,
  Services: true,
  Settings: true,
  ShelfFiles: true,
  StandingOrders: true,
  Statement: true,
  TableAnswers: true,
  Tools: true,
};

/** Calls of which the last counts: what is said later must not be covered by what was said before it. */
const lastCounts: ReadonlySet<string> = new Set<keyof Bound>([
  'ArchiveChat',
  'KeepPlace',
  'Looked',
  'MediaReport',
  'OrderServers',
  'PinChat',
  'Present',
  'RenameChat',
  'SetChat',
  'SetFocused',
  'SetSettings',
  'ShowVersion',
]);

/** A method of App as Wails puts it into the page. */
type Method = (...args: unknown[]) => Promise<unknown>;
declare const go: { main: { App: Record<string, Method> } };

function calling(method: string): Method {
  const call = async (...args: unknown[]) => {
    try {
      const answer = await (go.main.App[method] as Method)(...args);
      return method in lists ? (answer ?? []) : answer;
    } catch (thrown) {
      throw toApiError(thrown);
    }
  };
  const line = lastCounts.has(method) && inOrder();
  return line ? (...args) => line(() => call(...args)) : call;
}

const beside = {
  /** Hears of files that are dropped on the window; the result stops it. */
  onFileDrop(drop: (paths: string[]) => void): () => void {
    OnFileDrop((_x, _y, paths) => drop(paths), false);
    return OnFileDropOff;
  },
};

/**
 * The methods of App (app_*.go says what each does), and what the runtime has beside them. Each is made when it is first wanted: of what Wails
 * writes for them only the types are read, which cost the page nothing.
 */
export const api = new Proxy(beside, {
  has: () => true, // so that any of them can be stood in for
  get: (made: Record<string, unknown>, name: string) =>
    (made[name] ??= calling(name === 'mcp' ? 'MCP' : name.charAt(0).toUpperCase() + name.slice(1))),
}) as typeof beside & { [K in keyof Bound as Named<K>]: Bound[K] };
