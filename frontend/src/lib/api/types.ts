// The types of the shop, as the generated bindings have them. This is the one door to them.
import type {
  about,
  act,
  ask,
  bank,
  branch,
  config,
  diagnose,
  event,
  extract,
  globalkey,
  guest,
  interpreter,
  job,
  logging,
  main,
  mcp,
  media,
  memory,
  models,
  notes,
  outbound,
  pager,
  policy,
  provider,
  service,
  shelf,
  shop,
  standing,
  tablequery,
  toolbox,
  update,
} from '$wails/go/models';

export type {
  ask,
  config,
  event,
  extract,
  job,
  logging,
  main,
  models,
  outbound,
  policy,
  shelf,
  shop,
  toolbox,
};

export type TableAnswer = tablequery.Result;
export type TableColumn = tablequery.ResultColumn;
export type AttachmentsView = shop.AttachmentsView;
export type Snapshot = shop.Snapshot;
export type ChatMessage = event.ChatMessage;
export type Instead = main.Instead;
export type Version = shop.VersionView;
export type ChatSettings = shop.ChatSettings;
export type Project = shop.ProjectView;
export type DeletedChat = shop.DeletedChatView;
export type Takeaway = shop.Takeaway;
export type EventsImported = shop.EventsImported;
export type AskOpened = event.AskOpened;
export type AskReply = ask.Reply;
export type Holder = event.Holder;
export type JobView = job.View;
export type TodoView = job.TodoView;
export type JobDetail = shop.JobDetail;
export type ClosedAsk = shop.ClosedAsk;
export type SearchHit = shop.SearchHit;
export type SearchQuery = shop.SearchQuery;
export type Rack = toolbox.Rack;
export type GroupRack = toolbox.GroupRack;
export type Spec = toolbox.Spec;
export type Media = event.Media;
export type MediaOrder = media.Order;
export type MediaReport = media.Report;
export type ProviderState = event.ProviderState;
export type PageCommand = main.PageCommand;
export type GlobalKey = globalkey.View;
export type Setting = config.Item;
export type ServiceView = service.View;
export type ServiceInfo = service.Info;
export type AboutFacts = about.Facts;
export type LicencePart = about.Part;
export type DiagnosisPart = diagnose.Part;
export type UpdateView = update.View;
export type Backup = shop.Backup;
export type ChatsFound = shop.ChatsFound;
export type ChatsImported = shop.ChatsImported;
export type BackupFile = shop.BackupFile;
export type BackupHolds = shop.BackupHolds;
export type BankView = bank.View;
export type LibraryView = shop.LibraryView;
export type LibraryShelf = event.LibraryShelf;
export type ShelfFile = shop.ShelfFile;
export type ShelfFilter = shop.ShelfFilter;
export type DocumentView = shop.DocumentView;
export type DocumentText = shop.DocumentText;
export type BankLine = bank.Line;
export type Payee = bank.Payee;
export type Scheduled = bank.ScheduledView;
export type MemoryView = memory.View;
export type Fact = memory.FactView;
export type NotesView = notes.View;
export type Note = notes.NoteView;
export type Gauge = interpreter.Gauge;
export type ModelsView = models.View;
export type Trouble = models.Trouble;
export type InstalledModel = models.Installed;
export type RecommendedModel = models.Recommended;
export type ListedServer = models.Listed;
export type RoleCard = models.Role;
export type ModelPull = event.ModelPull;
export type LetterRow = shop.LetterRow;
export type LetterDetail = shop.LetterDetail;
export type ReadingsView = shop.ReadingsView;
export type ReadingRow = shop.ReadingRow;
export type ReadingGuess = shop.ReadingGuess;
export type Reliability = act.Reliability;
export type SheetView = shop.Sheet;
export type SheetLine = shop.SheetLine;
export type StandingOrder = shop.StandingOrder;
export type StandingRun = shop.StandingRun;
export type FavouritesView = shop.FavouritesView;
export type Favourite = shop.FavouriteView;
export type Argument = shop.ArgumentView;
export type Ticket = job.Ticket;
export type TicketFilter = job.TicketFilter;
export type Again = shop.Again;
export type StandingDeed = standing.Verb;
export type MissedRule = standing.Missed;
export type GuestsView = shop.GuestsView;
export type Guest = guest.View;
export type GuestTool = guest.Offer;
export type BranchesView = branch.View;
export type Branch = branch.Branch;
export type BranchInvitation = branch.Invitation;
export type PagerView = pager.View;
export type Phone = pager.Phone;
export type PagerInvitation = pager.Invitation;
export type McpProposal = mcp.Proposal;
export type McpFilled = mcp.Filled;
export type McpForm = mcp.Form;
export type McpField = mcp.Field;
export type McpElsewhere = mcp.Elsewhere;
export type McpView = mcp.View;
export type McpServer = mcp.ServerView;
export type McpTool = mcp.ToolView;
export type McpResource = mcp.Resource;
export type McpPrompt = mcp.Prompt;
export type FoldersView = shop.FoldersView;
export type OpenedFolder = shop.FolderView;
export type Trashed = shop.TrashedView;
export type Permissions = policy.Permissions;
export type Permission = policy.Permission;
export type PermissionMode = policy.Mode;
export type PolicyRule = policy.Rule;
export type PolicyCondition = policy.Condition;
export type OutboundEntry = outbound.Entry;
export type OutboundFilter = outbound.Filter;
export type OutboundState = shop.OutboundState;
export type WebSearch = shop.WebSearchView;
export type AuditEntry = policy.Entry;
export type AuditFilter = policy.Filter;
export type LogLine = logging.Line;
export type JobLogEntry = shop.LogEntry;

export type JobState = job.State;
export type TodoState = job.TodoState;
export type WorkerStateName = event.WorkerState['state'];
export type Blink = event.Blink;
export type LogLevel = event.JobLog['level'];
export type PullState = models.PullState;
export type Health = models.Trouble['health'];
export type Reason = provider.Reason;
export type ReadingOutcome = shop.ReadingOutcome;
export type TroubleAction = models.Action;
