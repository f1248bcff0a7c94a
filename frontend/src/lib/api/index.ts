// The only place that calls Go. Every failure comes out as an ApiError, so callers handle one kind of thing.
import * as App from '$wails/go/main/App';
import { OnFileDrop, OnFileDropOff } from '$wails/runtime/runtime';

import { ApiError, toApiError } from './error';
import type {
  AskReply,
  AuditEntry,
  AuditFilter,
  Backup,
  BankLine,
  BankView,
  ChatMessage,
  DeletedChat,
  EventsImported,
  DocumentText,
  Fact,
  FoldersView,
  JobDetail,
  JobLogEntry,
  LetterDetail,
  LetterRow,
  LibraryView,
  LogLine,
  McpView,
  MediaOrder,
  MediaReport,
  MemoryView,
  Note,
  NotesView,
  ModelsView,
  Payee,
  Permissions,
  PolicyRule,
  ReadingsView,
  SearchHit,
  ServiceInfo,
  Setting,
  Snapshot,
  Spec,
  Trouble,
  event,
} from './types';

export { ApiError, toApiError };
export * from './types';

async function call<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    throw toApiError(thrown);
  }
}

// Go encodes an empty list as null.
const list = async <T>(run: () => Promise<T[] | null>): Promise<T[]> => (await call(run)) ?? [];

export const api = {
  snapshot: (): Promise<Snapshot> => call(() => App.Snapshot()),

  /**
   * Sends a customer's message, or the id of the button that was pressed. A chat id `job:<id>` speaks to that job. seen is
   * the mark of the confirmation that is drawn: a typed yes counts for that one alone.
   */
  say: (chat: string, text: string, action = '', seen = ''): Promise<ChatMessage> =>
    call(() => App.Say(chat, text, action, seen)),
  /** Sends a message that asks about one document of the library. */
  sayAbout: (chat: string, text: string, document: string): Promise<ChatMessage> =>
    call(() => App.SayAbout(chat, text, document)),
  /**
   * Says something in the place of an earlier request, which goes with all that came of it and after it. It asks about one
   * document, if one is given.
   */
  sayInstead: (request: string, text: string, document = ''): Promise<ChatMessage> =>
    call(() => App.SayInstead(request, text, document)),
  answer: (reply: AskReply): Promise<void> => call(() => App.Answer(reply)),
  stopReply: (chat: string): Promise<void> => call(() => App.StopReply(chat)),

  newChat: (): Promise<event.ChatCreated> => call(() => App.NewChat()),
  renameChat: (chat: string, title: string): Promise<void> =>
    call(() => App.RenameChat(chat, title)),
  pinChat: (chat: string, pinned: boolean): Promise<void> => call(() => App.PinChat(chat, pinned)),
  /** Asks where to and writes the conversation there as Markdown; '' when the person changed their mind. */
  exportChat: (chat: string, title: string, name: string): Promise<string> =>
    call(() => App.ExportChat(chat, '', title, name)),
  deleteChat: (chat: string): Promise<void> => call(() => App.DeleteChat(chat)),
  restoreChat: (chat: string): Promise<void> => call(() => App.RestoreChat(chat)),
  deletedChats: (): Promise<DeletedChat[]> => list(() => App.DeletedChats()),
  history: (chat: string, before: string, limit: number): Promise<ChatMessage[]> =>
    list(() => App.History(chat, before, limit)),
  deleteMessage: (id: string): Promise<void> => call(() => App.DeleteMessage(id)),
  restoreMessage: (id: string): Promise<void> => call(() => App.RestoreMessage(id)),

  job: (id: string): Promise<JobDetail> => call(() => App.Job(id)),
  cancelJob: (job: string): Promise<void> => call(() => App.CancelJob(job)),
  clearEnded: (): Promise<void> => call(() => App.ClearEnded()),

  tools: (): Promise<Spec[]> => list(() => App.Tools()),
  search: (query: string): Promise<SearchHit[]> => list(() => App.Search(query)),

  settings: (): Promise<Setting[]> => list(() => App.Settings()),
  setSettings: (values: Record<string, unknown>): Promise<void> =>
    call(() => App.SetSettings(values)),

  models: (): Promise<ModelsView> => call(() => App.Models()),
  pullModel: (name: string): Promise<void> => call(() => App.PullModel(name)),
  pausePull: (name: string): Promise<void> => call(() => App.PausePull(name)),
  resumePull: (name: string): Promise<void> => call(() => App.ResumePull(name)),
  cancelPull: (name: string): Promise<void> => call(() => App.CancelPull(name)),
  deleteModel: (name: string): Promise<void> => call(() => App.DeleteModel(name)),
  /** Comes back when the model is in memory. */
  loadModel: (name: string): Promise<void> => call(() => App.LoadModel(name)),
  unloadModel: (name: string): Promise<void> => call(() => App.UnloadModel(name)),
  /** Looks right now how Ollama is. */
  checkProvider: (): Promise<Trouble> => call(() => App.CheckProvider()),
  /** Comes back when the Ollama of this computer answers. */
  startOllama: (): Promise<void> => call(() => App.StartOllama()),
  /** Keeps the key of the OpenAI-compatible service; '' forgets it. It never comes back. */
  setOpenAIKey: (key: string): Promise<void> => call(() => App.SetOpenAIKey(key)),

  /** The newest first. */
  backups: (): Promise<Backup[]> => list(() => App.Backups()),
  backupNow: (): Promise<Backup> => call(() => App.BackupNow()),
  /** Takes the place of everything at the next start. */
  restoreBackup: (name: string): Promise<void> => call(() => App.RestoreBackup(name)),
  /** Asks where to and writes a copy there; '' when the person changed their mind. */
  exportBackup: (title: string): Promise<string> => call(() => App.ExportBackup(title)),

  exportEvents: (title: string): Promise<number> => call(() => App.ExportEvents('', title)),
  importEvents: (title: string): Promise<EventsImported> => call(() => App.ImportEvents('', title)),
  services: (): Promise<ServiceInfo[]> => list(() => App.Services()),

  bank: (): Promise<BankView> => call(() => App.Bank()),

  library: (): Promise<LibraryView> => call(() => App.Library()),
  document: (id: string, from: number, to: number): Promise<DocumentText> =>
    call(() => App.Document(id, from, to)),
  /** Puts files and folders into the library, as one import. */
  importDocuments: (paths: string[], kind: string): Promise<event.LibraryImport> =>
    call(() => App.ImportDocuments(paths, kind)),
  cancelImport: (id: string): Promise<void> => call(() => App.CancelImport(id)),
  /** Puts in what a cancelled import left out. */
  resumeImport: (id: string): Promise<event.LibraryImport> => call(() => App.ResumeImport(id)),
  /** Says whose a document is: mine or standard. */
  markDocument: (id: string, kind: string): Promise<void> => call(() => App.MarkDocument(id, kind)),
  removeDocument: (id: string): Promise<void> => call(() => App.RemoveDocument(id)),
  chooseDocuments: (title: string): Promise<string[]> => list(() => App.ChooseDocuments(title)),
  /** Hears of files that are dropped on the window; the result stops it. */
  onFileDrop(drop: (paths: string[]) => void): () => void {
    OnFileDrop((_x, _y, paths) => drop(paths), false);
    return OnFileDropOff;
  },
  /** Lines of the statement before the one named, newest first. */
  statement: (before: string, limit: number): Promise<BankLine[]> =>
    list(() => App.Statement(before, limit)),
  cancelScheduled: (id: string): Promise<void> => call(() => App.CancelScheduled(id)),
  savePayee: (payee: Payee): Promise<Payee> => call(() => App.SavePayee(payee)),
  deletePayee: (id: string): Promise<void> => call(() => App.DeletePayee(id)),
  /** Puts practice money into the account, in won. */
  deposit: (amount: number): Promise<void> => call(() => App.Deposit(amount)),

  /** The notes that hold the words of a query, all of them without one, and the trash. */
  notes: (query: string): Promise<NotesView> => call(() => App.Notes(query)),
  addNote: (text: string): Promise<Note> => call(() => App.AddNote(text)),
  /** Changes a note, if its text still has the hash `base`. */
  editNote: (id: string, text: string, base: string): Promise<Note> =>
    call(() => App.EditNote(id, text, base)),
  deleteNote: (id: string): Promise<void> => call(() => App.DeleteNote(id)),
  restoreNote: (id: string): Promise<void> => call(() => App.RestoreNote(id)),

  memory: (chat: string): Promise<MemoryView> => call(() => App.Memory(chat)),
  editSummary: (chat: string, text: string): Promise<void> =>
    call(() => App.EditSummary(chat, text)),
  addFact: (text: string): Promise<Fact> => call(() => App.AddFact(text)),
  editFact: (id: string, text: string): Promise<void> => call(() => App.EditFact(id, text)),
  forgetFact: (id: string): Promise<void> => call(() => App.ForgetFact(id)),
  /** Drops the summary of a chat; its messages stay to be seen. */
  forgetChat: (chat: string): Promise<void> => call(() => App.ForgetChat(chat)),

  mcp: (): Promise<McpView> => call(() => App.MCP()),
  /** Agrees to the tools of a server, exactly as they were shown with this digest. */
  consentMcp: (server: string, digest: string): Promise<void> =>
    call(() => App.ConsentMCP(server, digest)),
  revokeMcp: (server: string): Promise<void> => call(() => App.RevokeMCP(server)),
  /** Reads mcp.json anew and looks after every server. */
  reloadMcp: (): Promise<void> => call(() => App.ReloadMCP()),
  /** Replaces mcp.json; a value that stays covered keeps what it was. */
  setMcp: (text: string): Promise<void> => call(() => App.SetMCP(text)),

  folders: (): Promise<FoldersView> => call(() => App.Folders()),
  /** Without a path the system's dialog asks for one, with title above it. */
  openFolder: (path: string, write: boolean, title: string): Promise<FoldersView> =>
    call(() => App.OpenFolder(path, write, title)),
  closeFolder: (path: string): Promise<FoldersView> => call(() => App.CloseFolder(path)),
  restoreTrashed: (id: string): Promise<FoldersView> => call(() => App.RestoreTrashed(id)),

  permissions: (): Promise<Permissions> => call(() => App.Permissions()),
  revokePermission: (id: string): Promise<void> => call(() => App.RevokePermission(id)),
  /** Replaces all rules at once; one that is wrong is named, and nothing changes. */
  setPolicyRules: (rules: PolicyRule[]): Promise<void> => call(() => App.SetPolicyRules(rules)),
  /** Entries before the number of one (0: the newest), newest first. */
  audit: (filter: AuditFilter, before: number, limit: number): Promise<AuditEntry[]> =>
    list(() => App.Audit(filter, before, limit)),
  /** Asks where to and writes the whole audit log there; '' when the person changed their mind. */
  exportAudit: (format: 'jsonl' | 'csv', title: string): Promise<string> =>
    call(() => App.ExportAudit('', format, title)),

  /** The newest letters first; '' means of every chat, of every job. */
  letters: (chat: string, job: string, limit: number): Promise<LetterRow[]> =>
    list(() => App.Letters(chat, job, limit)),
  letter: (id: string): Promise<LetterDetail> => call(() => App.Letter(id)),
  /** How the newest messages of a chat ('' for all) were read, and how far that is to be believed. */
  readings: (chat: string, limit: number): Promise<ReadingsView> =>
    call(() => App.Readings(chat, limit)),
  /** Sends the same letter again to whoever interprets now, and gives the new one. */
  replayLetter: (id: string): Promise<LetterDetail> => call(() => App.ReplayLetter(id)),

  /** The newest lines of all jobs' logs, oldest first. */
  jobLogs: (limit: number): Promise<JobLogEntry[]> => list(() => App.JobLogs(limit)),
  logs: (): Promise<LogLine[]> => list(() => App.Logs()),

  mediaReport: (report: MediaReport): Promise<void> => call(() => App.MediaReport(report)),
  mediaControl: (order: MediaOrder): Promise<void> => call(() => App.MediaControl(order)),
  chooseFolder: (title: string): Promise<string> => call(() => App.ChooseFolder(title)),
  openLink: (address: string): Promise<void> => call(() => App.OpenLink(address)),
  setFocused: (focused: boolean): Promise<void> => call(() => App.SetFocused(focused)),
};
