// The only place that calls Go. Every failure comes out as an ApiError, so callers handle one kind of thing.
import * as App from '$wails/go/main/App';
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

const named = (method: string) =>
  method === method.toUpperCase()
    ? method.toLowerCase()
    : method.charAt(0).toLowerCase() + method.slice(1);

const calls = Object.entries(App).map(([method, bound]) => {
  const call = async (...args: unknown[]) => {
    try {
      const answer = await (bound as (...args: unknown[]) => Promise<unknown>)(...args);
      return method in lists ? (answer ?? []) : answer;
    } catch (thrown) {
      throw toApiError(thrown);
    }
  };
  const line = lastCounts.has(method) && inOrder();
  return [named(method), line ? (...args: unknown[]) => line(() => call(...args)) : call];
});

/** The methods of App (app_*.go says what each does), and what the runtime has beside them. */
export const api = {
  ...(Object.fromEntries(calls) as { [K in keyof Bound as Named<K>]: Bound[K] }),

  /** Hears of files that are dropped on the window; the result stops it. */
  onFileDrop(drop: (paths: string[]) => void): () => void {
    OnFileDrop((_x, _y, paths) => drop(paths), false);
    return OnFileDropOff;
  },
};
