export namespace about {
	
	export interface Facts {
	    version: string;
	    commit: string;
	    licences: number;
	    licencesBytes: number;
	}
	export interface Part {
	    name: string;
	    version?: string;
	    kind: string;
	    licence: string;
	    text: string;
	}

}

export namespace act {
	
	export interface Reliability {
	    n: number;
	    said: number;
	    right: number;
	}

}

export namespace ask {
	
	export type Kind = "approval" | "lock" | "input" | "recovery" | "service" | "outside";
	export interface Reply {
	    ask: string;
	    choice: string;
	    digest?: string;
	    args?: any;
	    text?: string;
	    holder?: string;
	    scope?: string;
	    pick?: toolbox.Pick;
	}

}

export namespace bank {
	
	export type Direction = "in" | "out";
	export type State = "scheduled" | "done" | "canceled" | "failed";
	export interface AccountView {
	    id: string;
	    title: string;
	    balance: number;
	}
	export interface LimitsView {
	    perTransfer: number;
	    perDay: number;
	    leftToday: number;
	}
	export interface Line {
	    id: string;
	    at: string;
	    target: string;
	    amount: number;
	    direction: Direction;
	    memo: string;
	    balanceAfter: number;
	    state: State;
	    code?: string;
	    reason?: string;
	    date?: string;
	    chat: string;
	    jobId: string;
	}
	export interface Payee {
	    id: string;
	    name: string;
	    aliases: string[];
	    bank: string;
	    number: string;
	    favourite: boolean;
	}
	export interface ScheduledView {
	    id: string;
	    date: string;
	    target: string;
	    amount: number;
	    memo: string;
	    state: State;
	    chat: string;
	    jobId: string;
	}
	export interface View {
	    accounts: AccountView[];
	    limits: LimitsView;
	    statement: Line[];
	    scheduled: ScheduledView[];
	    payees: Payee[];
	}

}

export namespace bilingual {
	
	export interface Text {
	    ko: string;
	    en: string;
	}

}

export namespace branch {
	
	export type Role = "lends" | "borrows";
	export type State = "here" | "away" | "unpaired";
	export interface Branch {
	    id: string;
	    name: string;
	    role: Role;
	    state: State;
	    since: string;
	    paired: string;
	    address?: string;
	    tools: string[];
	    pin: string;
	}
	export interface Invitation {
	    addresses: string[];
	    code: string;
	    until: string;
	}
	export interface View {
	    name: string;
	    addresses: string[];
	    branches: Branch[];
	}

}

export namespace config {
	
	export type Source = "flag" | "env" | "file" | "default";
	export type Type = "int" | "number" | "bool" | "text" | "enum" | "folder" | "address" | "timeouts" | "list";
	export interface Item {
	    key: string;
	    value: string | number | boolean | null;
	    default: string | number | boolean | null;
	    source: Source;
	    forcedBy?: Source;
	    flag?: string;
	    env: string;
	    live: boolean;
	    type: Type;
	    enum?: string[];
	    min?: number;
	    max?: number;
	    title: bilingual.Text;
	    help: bilingual.Text;
	}

}

export namespace diagnose {
	
	export interface Part {
	    name: string;
	    text: string;
	}

}

export namespace engine {
	
	export type State = "absent" | "resting" | "starting" | "running" | "waiting";
	export interface View {
	    state: State;
	    version: string;
	    addr: string;
	    memory: number;
	    restarts: number;
	    again: number;
	    why: string;
	}

}

export namespace event {
	
	export type AttachmentKind = "text" | "image";
	export type Blink = "none" | "yellow" | "green" | "red";
	export type EffectOutcome = "done" | "failed" | "unknown" | "none" | "read";
	export type FieldKind = "text" | "number" | "integer" | "yes_no" | "one" | "some";
	export type Role = "customer" | "shop" | "job" | "imported_ask" | "imported_reply";
	export interface AgentDone {
	    agent: string;
	    label: string;
	    success: boolean;
	    result?: string;
	    stage?: string;
	    ms: number;
	    tokensIn?: number;
	    tokensOut?: number;
	}
	export interface AgentQueued {
	    agent: string;
	    label: string;
	    place: number;
	}
	export interface AgentStart {
	    agent: string;
	    label: string;
	}
	export interface AskClosed {
	    id: string;
	    jobId?: string;
	    choice: string;
	    by: string;
	    via?: string;
	    reason?: string;
	}
	export interface FieldChoice {
	    value: string;
	    title: string;
	}
	export interface AskField {
	    name: string;
	    kind: FieldKind;
	    title: string;
	    about?: string;
	    required?: boolean;
	    choices?: FieldChoice[];
	    default?: any;
	    min?: number;
	    max?: number;
	}
	export interface AskPromptMessage {
	    assistant?: boolean;
	    text: string;
	}
	export interface AskPrompt {
	    system?: string;
	    messages: AskPromptMessage[];
	    most: number;
	}
	export interface AskForm {
	    server: string;
	    message: string;
	    fields: AskField[];
	    prompt?: AskPrompt;
	}
	export interface Origin {
	    arg: string;
	    value: string;
	    from: string;
	    trusted: boolean;
	    text: string;
	    tool?: string;
	    name?: string;
	    step?: number;
	    quote?: string;
	}
	export interface AskScope {
	    scope: toolbox.Scope;
	    words: string;
	    default?: boolean;
	}
	export interface AskPreview {
	    text: string;
	    diff?: string;
	    cut?: boolean;
	    plan?: string;
	    lines?: number;
	}
	export interface Holder {
	    jobId: string;
	    title?: string;
	    tool: string;
	    leaseId?: string;
	    since: string;
	    reserved?: boolean;
	}
	export interface AskOpened {
	    id: string;
	    kind: ask.Kind;
	    chat?: string;
	    jobId?: string;
	    jobTitle?: string;
	    todoId?: string;
	    question: string;
	    choices: string[];
	    tool?: string;
	    args?: any;
	    digest?: string;
	    effect?: string;
	    reason?: string;
	    place?: number;
	    holders?: Holder[];
	    time?: string;
	    preview?: AskPreview;
	    scopes?: AskScope[];
	    origins?: Origin[];
	    why?: string;
	    group?: string;
	    like?: number;
	    near?: string[];
	    form?: AskForm;
	}
	
	
	
	
	export interface AttachmentSource {
	    server: string;
	    title?: string;
	    address: string;
	    prompt?: string;
	    left?: string[];
	}
	export interface Attachment {
	    id: string;
	    name: string;
	    kind: AttachmentKind;
	    format: string;
	    bytes: number;
	    pages?: number;
	    width?: number;
	    height?: number;
	    from?: AttachmentSource;
	}
	
	export interface Button {
	    id: string;
	    label: string;
	}
	export interface ChatChanged {
	    id: string;
	    project?: string;
	    archived?: boolean;
	    instructions?: string;
	    model?: string;
	}
	export interface ChatCreated {
	    id: string;
	    title: string;
	}
	export interface ChatCut {
	    messages: string[];
	    jobs: string[];
	}
	export interface ChatDeleted {
	    id: string;
	    stopped?: number;
	    gone?: boolean;
	}
	export interface Effect {
	    outcome: EffectOutcome;
	    text: string;
	}
	export interface ModelWork {
	    read?: number;
	    seconds?: number;
	    wrote?: number;
	}
	export interface Thinking {
	    step: string;
	    text: string;
	    data?: any;
	    work?: ModelWork;
	}
	export interface Source {
	    documentId: string;
	    title: string;
	    kind?: library.Kind;
	    article?: string;
	    page?: number;
	    unit?: extract.Unit;
	    start: number;
	    end: number;
	    quote: string;
	    score: number;
	    attachment?: string;
	}
	export interface LibraryNote {
	    sources: Source[];
	    trail: Thinking[];
	    unverified?: string[];
	}
	export interface StandingRef {
	    id: string;
	    title: string;
	}
	export interface DocumentRef {
	    documentId: string;
	    title: string;
	}
	export interface ChatMessage {
	    id: string;
	    role: Role;
	    text: string;
	    jobId?: string;
	    buttons?: Button[];
	    time?: string;
	    about?: DocumentRef;
	    attachments?: Attachment[];
	    standing?: StandingRef;
	    versions?: string[];
	    turn?: string;
	    code?: string;
	    reasoning?: string;
	    library?: LibraryNote;
	    did?: Effect[];
	}
	export interface ChatPinned {
	    id: string;
	    pinned: boolean;
	}
	export interface ChatRestored {
	    id: string;
	    title: string;
	}
	export interface ChatToken {
	    id: string;
	    delta: string;
	    reset?: boolean;
	}
	export interface ChatVersion {
	    request: string;
	    messages: string[];
	}
	export interface ConfigChanged {
	    changed: Record<string, any>;
	}
	
	
	export interface Error {
	    code: string;
	    message: string;
	    fields?: Record<string, any>;
	}
	export interface FavouritesChanged {
	    id?: string;
	}
	
	
	export interface ImportProblem {
	    file: string;
	    code: string;
	    message: string;
	}
	export interface TodoBrief {
	    id: string;
	    title: string;
	    tool?: string;
	}
	export interface JobCreated {
	    id: string;
	    jobId: string;
	    number: number;
	    title: string;
	    chat: string;
	    turn?: string;
	    reply?: string;
	    standing?: string;
	    guest?: string;
	    todos: TodoBrief[];
	    place?: number;
	}
	export interface JobLog {
	    jobId: string;
	    level: Exclude<logging.Line['level'], ''>;
	    line: string;
	    todoId?: string;
	}
	export interface JobReport {
	    jobId: string;
	    text: string;
	    did?: Effect[];
	    undoable?: boolean;
	    toolsUsed: string[];
	    seconds: number;
	}
	export interface JobState {
	    id: string;
	    jobId: string;
	    from: job.State;
	    to: job.State;
	    reason?: string;
	}
	export interface LibraryImport {
	    id: string;
	    path: string;
	    state: library.ImportState;
	    done: number;
	    total: number;
	    added: number;
	    duplicates: number;
	    file?: string;
	    problems: ImportProblem[];
	    notes: ImportProblem[];
	}
	
	export interface LibraryShelf {
	    id: string;
	    title: string;
	    path: string;
	    rule: shelf.Rule;
	    state: shelf.State;
	    removed?: boolean;
	    files: number;
	    read: number;
	    waiting: number;
	    refused: number;
	    gone: number;
	    kept: number;
	    leftOut: number;
	    other: number;
	    mark?: string;
	    emptied?: boolean;
	    looking?: boolean;
	    reading?: string;
	    problem?: string;
	    looked?: string;
	    found: number;
	    hashed: number;
	}
	export interface LibraryVectors {
	    state: library.VectorState;
	    model?: string;
	    done: number;
	    total: number;
	    refused?: number;
	    problem?: string;
	}
	export interface MCPChanged {
	    server?: string;
	}
	export interface Playback {
	    paused: boolean;
	    repeat: boolean;
	    volume: number;
	    muted: boolean;
	    take: number;
	}
	export interface Place {
	    name: string;
	    lat: number;
	    lon: number;
	}
	export interface NavMap {
	    from: Place;
	    to: Place;
	    here: Place;
	    totalKm: number;
	    leftKm: number;
	    bearing: number;
	    progress: number;
	    direction: string;
	    note: string;
	}
	export interface Media {
	    action: string;
	    device: string;
	    kind: string;
	    jobId?: string;
	    title: string;
	    url?: string;
	    seconds?: number;
	    position?: number;
	    rate?: number;
	    map?: NavMap;
	    play?: Playback;
	}
	export interface MemoryChanged {
	    chat: string;
	}
	export interface ModelPull {
	    model: string;
	    state: models.PullState;
	    done: number;
	    total: number;
	    percent: number;
	    speed: number;
	    secondsLeft: number;
	    error?: Error;
	    canceled?: boolean;
	}
	
	export interface ModelsChanged {
	    model?: string;
	}
	
	export interface NotesChanged {
	    note?: string;
	}
	
	
	
	export interface ProviderState {
	    provider: string;
	    model: string;
	    health: provider.Health;
	    reason?: provider.Reason;
	    detail?: string;
	}
	export interface ReminderDue {
	    id: string;
	    text: string;
	    due: string;
	    late?: boolean;
	}
	export interface RequestMoved {
	    agent: string;
	    from: string;
	    to: string;
	    code: string;
	    text: string;
	}
	export interface ShopRecovered {
	    jobs: number;
	    running: number;
	    waiting: number;
	    questions: number;
	    inDoubt: number;
	    turns: number;
	    transfers: number;
	    unreadable?: number;
	}
	
	export interface Sources {
	    messageId: string;
	    items: Source[];
	}
	export interface StandingChanged {
	    id: string;
	}
	
	export interface TaskProgress {
	    index: number;
	    total: number;
	    slots: Record<string, any>;
	}
	
	
	export interface TodoState {
	    jobId: string;
	    todoId: string;
	    index: number;
	    state: job.TodoState;
	    node: string;
	    title?: string;
	    tool?: string;
	}
	export interface ToolAcquired {
	    tool: string;
	    group?: string;
	    leaseId: string;
	    jobId: string;
	}
	export interface ToolLocked {
	    tool: string;
	    group?: string;
	    jobId: string;
	    reason: string;
	    holders: Holder[];
	    place: number;
	}
	export interface ToolQueued {
	    tool: string;
	    group?: string;
	    jobId: string;
	    reason?: string;
	    place: number;
	}
	export interface ToolReleased {
	    tool: string;
	    group?: string;
	    leaseId: string;
	    jobId: string;
	}
	export interface TurnState {
	    stage: string;
	    slots: Record<string, any>;
	    meta: Record<string, any>;
	}
	export interface UIHint {
	    buttons: Button[];
	}
	export interface TurnDone {
	    message: string;
	    messageId: string;
	    nextAction: string;
	    uiHint: UIHint;
	    state: TurnState;
	    jobs?: string[];
	}
	
	
	export interface WorkerState {
	    worker: number;
	    state: 'idle' | Exclude<job.State, 'queued'>;
	    jobId?: string;
	    blink: Blink;
	}

}

export namespace extract {
	
	export type Family = "document" | "table" | "slides" | "book" | "mail" | "text" | "picture";
	export type Unit = "page" | "sheet" | "slide" | "chapter" | "part";

}

export namespace globalkey {
	
	export type State = "off" | "asking" | "granted" | "refused" | "absent";
	export interface View {
	    state: State;
	    trigger: string;
	}

}

export namespace guest {
	
	export interface Guest {
	    id: string;
	    name: string;
	    tools: string[];
	    calls: number;
	    changes: number;
	    files: number;
	    money: number;
	    created: string;
	}
	export interface Offer {
	    key: string;
	    title: bilingual.Text;
	    changes: boolean;
	    files: boolean;
	    money: boolean;
	}
	export interface View {
	    id: string;
	    name: string;
	    tools: string[];
	    calls: number;
	    changes: number;
	    files: number;
	    money: number;
	    created: string;
	    callsToday: number;
	    changesToday: number;
	    filesToday: number;
	    moneyToday: number;
	    last?: string;
	}

}

export namespace interpreter {
	
	export interface Alarm {
	    provider: string;
	    model: string;
	    sent: number;
	    read: number;
	    time: string;
	    message: string;
	}
	export interface Gauge {
	    numCtx: number;
	    reserve: number;
	    estimated: number;
	    system: number;
	    memory: number;
	    transcript: number;
	    room: number;
	    calibrated: boolean;
	    server?: number;
	    serverEstimated?: number;
	    alarm?: Alarm;
	}

}

export namespace job {
	
	export type NodeName = "pick_todo" | "need_tool" | "react_input" | "react_llm" | "react_conditional" | "react_tool" | "react_response" | "react_error" | "choose_tool" | "ask_input" | "read_input" | "acquire" | "ask_lock" | "read_lock" | "confirm_check" | "preview" | "ask_approval" | "read_approval" | "exec" | "ask_recovery" | "read_recovery" | "save_result" | "release" | "report" | "done";
	export type State = "queued" | "running" | "waiting" | "succeeded" | "failed" | "canceled";
	export type TodoState = "pending" | "running" | "waiting" | "done" | "failed" | "skipped";
	export interface Ticket {
	    id: string;
	    number: number;
	    title: string;
	    chat: string;
	    turn?: string;
	    request?: string;
	    standing?: string;
	    state: job.State;
	    text?: string;
	    code?: string;
	    tools: string[];
	    created: string;
	    started?: string;
	    ended?: string;
	    imported?: boolean;
	}
	export interface TicketFilter {
	    state?: State;
	    from?: string;
	    to?: string;
	    tool?: string;
	    chat?: string;
	    standing?: string;
	    words?: string;
	    ids?: string[];
	}
	export interface TodoView {
	    id: string;
	    title: string;
	    tool?: string;
	    state: job.TodoState;
	    node: string;
	    text?: string;
	}
	export interface View {
	    id: string;
	    number: number;
	    title: string;
	    chat: string;
	    turn?: string;
	    reply?: string;
	    standing?: string;
	    guest?: string;
	    state: job.State;
	    reason?: string;
	    code?: string;
	    todos: TodoView[];
	    report?: string;
	    did?: event.Effect[];
	    undoable?: boolean;
	    imported?: boolean;
	    aside?: boolean;
	    created: string;
	    started?: string;
	    ended?: string;
	    place?: number;
	}

}

export namespace library {
	
	export type ImportState = "running" | "done" | "canceled";
	export type Kind = "mine" | "standard" | "attached";
	export type VectorState = "off" | "embedding" | "ready" | "waiting";

}

export namespace logging {
	
	export interface Line {
	    seq?: number;
	    time: string;
	    level: 'debug' | 'info' | 'warn' | 'error' | '';
	    component?: string;
	    message: string;
	    fields?: Record<string, any>;
	    missed?: number;
	}

}

export namespace main {
	
	export interface EventShapes {
	    "chat.created": event.ChatCreated;
	    "chat.deleted": event.ChatDeleted;
	    "chat.restored": event.ChatRestored;
	    "chat.pinned": event.ChatPinned;
	    "chat.cut": event.ChatCut;
	    "chat.version": event.ChatVersion;
	    "chat.changed": event.ChatChanged;
	    // Go type: event
	    "projects.changed": any;
	    "chat.message": event.ChatMessage;
	    "chat.token": event.ChatToken;
	    "agent.start": event.AgentStart;
	    "agent.queued": event.AgentQueued;
	    "agent.done": event.AgentDone;
	    "task.progress": event.TaskProgress;
	    "turn.done": event.TurnDone;
	    "job.created": event.JobCreated;
	    "job.state": event.JobState;
	    "todo.state": event.TodoState;
	    "job.log": event.JobLog;
	    "job.report": event.JobReport;
	    "worker.state": event.WorkerState;
	    "tool.acquired": event.ToolAcquired;
	    "tool.released": event.ToolReleased;
	    "tool.locked": event.ToolLocked;
	    "tool.queued": event.ToolQueued;
	    "inventory.changed": toolbox.Inventory;
	    "ask.opened": event.AskOpened;
	    "ask.closed": event.AskClosed;
	    thinking: event.Thinking;
	    sources: event.Sources;
	    media: event.Media;
	    "request.moved": event.RequestMoved;
	    "provider.state": event.ProviderState;
	    "config.changed": event.ConfigChanged;
	    "model.pull": event.ModelPull;
	    "models.changed": event.ModelsChanged;
	    // Go type: event
	    "outbound.changed": any;
	    // Go type: event
	    "update.changed": any;
	    "memory.changed": event.MemoryChanged;
	    // Go type: event
	    "bank.changed": any;
	    "notes.changed": event.NotesChanged;
	    "reminder.due": event.ReminderDue;
	    "standing.changed": event.StandingChanged;
	    "favourites.changed": event.FavouritesChanged;
	    // Go type: event
	    "guests.changed": any;
	    // Go type: event
	    "pager.changed": any;
	    // Go type: event
	    "branches.changed": any;
	    "mcp.changed": event.MCPChanged;
	    "library.import": event.LibraryImport;
	    // Go type: event
	    "library.changed": any;
	    "library.shelf": event.LibraryShelf;
	    "shop.recovered": event.ShopRecovered;
	    "library.vectors": event.LibraryVectors;
	    // Go type: event
	    "permissions.changed": any;
	    error: event.Error;
	}
	export interface Instead {
	    text: string;
	    document: string;
	    attachments: event.Attachment[];
	    keep: string[];
	    model: string;
	}
	export interface PageCommand {
	    kind: 'open' | 'given' | 'close' | 'quit' | 'line';
	    chat?: string;
	    job?: string;
	    ask?: string;
	    files?: string[];
	    text?: string;
	    leaving: shop.Leaving;
	}
	export interface Pasted {
	    paths: string[];
	    picture?: event.Attachment;
	}

}

export namespace mcp {
	
	export type NeedKind = "key" | "folder" | "text";
	export type Signing = "needed" | "waiting" | "done";
	export type State = "starting" | "ready" | "failed" | "disabled" | "needs_sign_in" | "needs_consent";
	export type ToolState = "ok" | "new" | "changed" | "disabled" | "refused";
	export interface Need {
	    name: string;
	    kind: NeedKind;
	    title: bilingual.Text;
	    given: boolean;
	    optional: boolean;
	}
	export interface Proposal {
	    id: string;
	    name: string;
	    title: bilingual.Text;
	    about: bilingual.Text;
	    line: string;
	    remote: boolean;
	    missing: string;
	    needs: Need[];
	}
	export interface Elsewhere {
	    client: string;
	    file: string;
	    error: string;
	    proposals: Proposal[];
	}
	export interface Field {
	    was: string;
	    name: string;
	    before: string;
	    key: boolean;
	    value: string;
	}
	export interface Filled {
	    id: string;
	    name: string;
	    values: Record<string, string>;
	    line: string;
	}
	export interface Form {
	    server: string;
	    name: string;
	    title: string;
	    remote: boolean;
	    command: string;
	    args: Field[];
	    dir: string;
	    url: string;
	    values: Field[];
	    sampling: boolean;
	    line: string;
	}
	export interface Manual {
	    name: string;
	    title?: string;
	    description: string;
	    schema: any;
	    readOnly?: boolean;
	}
	
	export interface PromptField {
	    key: string;
	    name: string;
	    about?: string;
	    required?: boolean;
	}
	export interface Prompt {
	    server: string;
	    title?: string;
	    prompt: string;
	    name: string;
	    about?: string;
	    fields?: PromptField[];
	    completes?: boolean;
	}
	
	
	export interface Resource {
	    server: string;
	    title?: string;
	    address: string;
	    name: string;
	    about?: string;
	    type?: string;
	    bytes?: number;
	    fields?: string[];
	}
	export interface ToolView {
	    key: string;
	    name: string;
	    title?: string;
	    description: string;
	    schema: any;
	    readOnly?: boolean;
	    confirm: toolbox.Confirm;
	    state: ToolState;
	    reason?: string;
	    old?: Manual;
	}
	export interface SignInView {
	    state: Signing;
	    at?: string;
	}
	export interface ServerView {
	    server: string;
	    title?: string;
	    transport: string;
	    target: string;
	    state: State;
	    error?: string;
	    digest?: string;
	    signIn?: SignInView;
	    tools: ToolView[];
	}
	
	
	export interface View {
	    file: string;
	    text: string;
	    problems: string[];
	    servers: ServerView[];
	}

}

export namespace media {
	
	export interface Order {
	    act: string;
	    level?: number;
	    device: string;
	    kind: string;
	    title: string;
	}
	export interface Report {
	    device: string;
	    jobId: string;
	    take: number;
	    position: number;
	    seconds: number;
	    ended: boolean;
	}

}

export namespace memory {
	
	export type Source = "customer" | "ledger" | "job" | "person";
	export interface FactView {
	    id: string;
	    text: string;
	    source: memory.Source;
	    date: string;
	    chat?: string;
	    messageId?: string;
	    project?: string;
	}
	export interface LineView {
	    speaker: 'customer' | 'shop';
	    text: string;
	}
	export interface View {
	    chat: string;
	    summary: string;
	    summaryAt?: string;
	    turnsSummarised: number;
	    turnsRaw: number;
	    recent: LineView[];
	    facts: FactView[];
	    budget: interpreter.Gauge;
	}

}

export namespace models {
	
	export type Action = "none" | "install" | "start" | "pull" | "address" | "key";
	export type PullState = "waiting" | "pulling" | "paused" | "failed" | "done";
	export interface Card {
	    model: string;
	    temperature: number;
	    maxTokens: number;
	    timeoutSeconds: number;
	    retries: number;
	}
	export interface Installed {
	    name: string;
	    bytes: number;
	    memory: number;
	    fits: boolean;
	    loaded: boolean;
	    loadedBytes: number;
	    context: number;
	    quantization: string;
	    parameters: string;
	    embedding: boolean;
	    thinking: boolean;
	    roles: string[];
	}
	export interface Listed {
	    name: string;
	    kind?: string;
	    address?: string;
	    model?: string;
	    parallel?: number;
	    spare?: boolean;
	    off?: boolean;
	    settled: boolean;
	    health: provider.Health | 'off';
	    reason: provider.Reason | '';
	    detail: string;
	    breaker: string;
	    serves: string;
	    models: string[];
	    reads: number;
	    writes: number;
	    requests: number;
	    keySet: boolean;
	    keyPlace: string;
	}
	export interface RAM {
	    total: number;
	    available: number;
	}
	export interface Recommended {
	    name: string;
	    title: string;
	    bytes: number;
	    memory: number;
	    fits: boolean;
	    installed: boolean;
	    embedding: boolean;
	    languages: string[];
	    note: bilingual.Text;
	}
	export interface Role {
	    role: string;
	    model: string;
	    temperature: number;
	    maxTokens: number;
	    timeoutSeconds: number;
	    retries: number;
	    servers: string[];
	    title: bilingual.Text;
	    defaults: Card;
	}
	export interface Trouble {
	    provider: string;
	    model: string;
	    health: provider.Health | 'off';
	    reason: provider.Reason | '';
	    detail: string;
	    host: string;
	    local: boolean;
	    action: Action;
	}
	export interface View {
	    trouble: Trouble;
	    openai: Trouble;
	    engine: engine.View;
	    servers: Listed[];
	    onDuty: event.ProviderState;
	    installed: Installed[];
	    recommended: Recommended[];
	    pulls: event.ModelPull[];
	    roles: Role[];
	    ram: RAM;
	    keySet: boolean;
	    keyPlace: string;
	}

}

export namespace notes {
	
	export interface NoteView {
	    id: string;
	    title: string;
	    text: string;
	    hash: string;
	    created: string;
	    updated: string;
	    deleted?: string;
	}
	export interface View {
	    notes: NoteView[];
	    trash: NoteView[];
	    trashDays: number;
	}

}

export namespace outbound {
	
	export type Net = "internet" | "house" | "proxy" | "other";
	export type Outcome = "going" | "done" | "failed" | "refused" | "handed" | "cut";
	export type Room = "models" | "download" | "page" | "picture" | "search" | "weather" | "outside" | "branch" | "updates" | "link";
	export interface Entry {
	    n: number;
	    id: string;
	    at: number;
	    last: number;
	    times: number;
	    room: Room;
	    chat: string;
	    job: string;
	    method: string;
	    host: string;
	    path: string;
	    address: string;
	    net: Net;
	    words: string;
	    sent: number;
	    received: number;
	    outcome: Outcome;
	    code: string;
	    status: number;
	}
	export interface Filter {
	    room: Room;
	    outcome: Outcome;
	    net: Net;
	    words: string;
	}

}

export namespace pager {
	
	export interface Way {
	    address: string;
	    link: string;
	    size: number;
	    path: string;
	}
	export interface Invitation {
	    ways: Way[];
	    until: string;
	}
	export interface Phone {
	    id: string;
	    name: string;
	    paired: string;
	    seen: string;
	}
	export interface View {
	    open: boolean;
	    port: number;
	    listens: boolean;
	    fingerprint?: string;
	    phones: Phone[];
	}

}

export namespace policy {
	
	export type AuditOutcome = "denied" | "rejected" | "started" | "done" | "failed" | "never" | "unknown";
	export type Decider = "rule" | "grant" | "person" | "counter" | "manual" | "mode" | "limit";
	export type Decision = "deny" | "ask" | "allow";
	export type Format = "jsonl" | "csv";
	export type Mode = "ask_all" | "ask_matters" | "my_rules";
	export interface Condition {
	    arg: string;
	    op: string;
	    value: string | number | boolean;
	}
	export interface Entry {
	    n: number;
	    id: string;
	    time: string;
	    chat: string;
	    job: string;
	    todo: string;
	    tool: string;
	    args: any;
	    digest: string;
	    by: Decider;
	    basis?: string;
	    why?: bilingual.Text;
	    question?: string;
	    preview?: event.AskPreview;
	    origins?: event.Origin[];
	    via?: string;
	    outcome: AuditOutcome;
	    result?: string;
	    code?: string;
	    ms?: number;
	}
	export interface Filter {
	    chat?: string;
	    job?: string;
	    tool?: string;
	    by?: Decider;
	    outcome?: AuditOutcome;
	}
	export interface Permission {
	    id: string;
	    tool: string;
	    title: string;
	    scope: toolbox.Scope;
	    chat?: string;
	    words: string;
	    created: string;
	    used?: string;
	    uses: number;
	}
	export interface Rule {
	    tool: string;
	    when?: Condition[];
	    decision: Decision;
	    note?: string;
	}
	export interface Permissions {
	    grants: Permission[];
	    rules: Rule[];
	    mode: Mode;
	    denied: Entry[];
	}

}

export namespace provider {
	
	export type Health = "ok" | "starting" | "unreachable" | "no_model" | "error";
	export type Reason = "not_installed" | "not_running" | "not_answering" | "nothing_there" | "wrong_address" | "no_model" | "loading" | "refused";

}

export namespace servers {
	
	export interface Server {
	    name: string;
	    kind?: string;
	    address?: string;
	    model?: string;
	    parallel?: number;
	    spare?: boolean;
	    off?: boolean;
	}

}

export namespace service {
	
	export type Source = "builtin" | "user";
	export type Stage = "INIT" | "FILLING" | "READY" | "CONFIRMED" | "EXECUTED" | "FAILED" | "CANCELLED" | "UNSUPPORTED";
	export interface BatchView {
	    index: number;
	    total: number;
	    executed: number;
	    cancelled: number;
	    failed: number;
	}
	export interface SlotInfo {
	    name: string;
	    title: string;
	    type: string;
	    required: boolean;
	}
	export interface Info {
	    id: string;
	    title: string;
	    intent: string;
	    slots: SlotInfo[];
	    examples: string[];
	    source: Source;
	    error?: string;
	    file?: string;
	    line?: number;
	}
	
	export interface SlotView {
	    name: string;
	    title: string;
	    value: any;
	    text: string;
	    required: boolean;
	    missing: boolean;
	    error?: string;
	}
	export interface View {
	    chat: string;
	    service: string;
	    title: string;
	    stage: Stage;
	    mark?: string;
	    slots: SlotView[];
	    batch: BatchView;
	    buttons: event.Button[];
	    act?: string;
	    after?: string;
	}

}

export namespace shelf {
	
	export type FileState = "waiting" | "read" | "refused" | "gone" | "kept" | "left_out";
	export type Rule = "ask" | "drop" | "keep";
	export type State = "following" | "stopped" | "dropping" | "leaving";

}

export namespace shop {
	
	export type ReadingOutcome = "taken" | "chosen" | "asked" | "model" | "idle";
	export interface Again {
	    message?: event.ChatMessage;
	    did?: string[];
	}
	export interface ArgumentView {
	    name: string;
	    text: string;
	    start: number;
	    end: number;
	}
	export interface ArticleView {
	    part?: string;
	    chapter?: string;
	    number?: string;
	    title: string;
	    deleted?: boolean;
	    page: number;
	    start: number;
	    end: number;
	}
	export interface AttachmentsView {
	    texts: string[];
	    pictures: string[];
	    most: number;
	    largest: number;
	    count: number;
	    bytes: number;
	}
	export interface Backup {
	    name: string;
	    at: string;
	    why: store.Reason | '';
	    bytes: number;
	    schema: number;
	    ok: boolean;
	}
	export interface BackupHolds {
	    chats: number;
	    messages: number;
	    documents: number;
	    notes: number;
	    orders: number;
	    favourites: number;
	    attachments: number;
	    newest?: string;
	}
	export interface BackupFile {
	    path: string;
	    made?: string;
	    program?: string;
	    bytes: number;
	    whole: boolean;
	    holds: BackupHolds;
	    now: BackupHolds;
	    missing: string[];
	    keys: string[];
	    servers: string[];
	}
	
	export interface ChatSettings {
	    project: string;
	    instructions: string;
	    model: string;
	}
	export interface ChatView {
	    id: string;
	    title: string;
	    updated: string;
	    pinned?: boolean;
	    messages: event.ChatMessage[];
	    busy?: boolean;
	    archived?: boolean;
	    project?: string;
	    instructions?: string;
	    model?: string;
	    unread?: boolean;
	    line?: string;
	    offset?: number;
	}
	export interface ChatsImported {
	    chats: number;
	    messages: number;
	    known: number;
	    files: number;
	    missing: number;
	}
	export interface ChatsFound {
	    path: string;
	    source: string;
	    found: ChatsImported;
	    titles: string[];
	}
	
	export interface ClosedAsk {
	    ask: event.AskOpened;
	    choice: string;
	    by: string;
	    via?: string;
	    text?: string;
	    time?: string;
	}
	export interface DeletedChatView {
	    id: string;
	    title: string;
	    deleted?: string;
	    updated: string;
	}
	export interface PassageView {
	    page: number;
	    start: number;
	    text: string;
	}
	export interface DocumentView {
	    id: string;
	    title: string;
	    path?: string;
	    format: string;
	    kind: library.Kind;
	    bytes: number;
	    pages: number;
	    unit: extract.Unit;
	    articles: number;
	    passages: number;
	    added: string;
	}
	export interface DocumentText {
	    document: DocumentView;
	    articles: ArticleView[];
	    passages: PassageView[];
	}
	
	export interface EventsImported {
	    kept: number;
	    changed: number;
	    known: number;
	    past: number;
	    left: number;
	    repeating: string[];
	    text: string;
	}
	export interface FavouriteBlank {
	    name: string;
	    asks: string;
	    was?: string;
	}
	export interface FavouriteView {
	    id: string;
	    name: string;
	    text: string;
	    plain?: string;
	    blanks: FavouriteBlank[];
	    deleted?: string;
	}
	export interface FavouritesView {
	    favourites: FavouriteView[];
	    trash: FavouriteView[];
	    trashDays: number;
	}
	export interface FolderView {
	    name: string;
	    path: string;
	    write: boolean;
	    problem?: string;
	}
	export interface TrashedView {
	    id: string;
	    path: string;
	    when: string;
	    folder?: boolean;
	}
	export interface FoldersView {
	    folders: FolderView[];
	    trashed: TrashedView[];
	}
	export interface FormatView {
	    key: string;
	    family: extract.Family;
	}
	export interface GuestAdded {
	    guest: guest.Guest;
	    key: string;
	}
	export interface GuestsView {
	    open: boolean;
	    address: string;
	    port: number;
	    guests: guest.View[];
	    tools: guest.Offer[];
	}
	export interface LogEntry {
	    time: string;
	    jobId: string;
	    todoId?: string;
	    level: Exclude<logging.Line['level'], ''>;
	    line: string;
	}
	export interface JobDetail {
	    job: job.View;
	    asks: event.AskOpened[];
	    closed: ClosedAsk[];
	    log: LogEntry[];
	    messages: event.ChatMessage[];
	}
	export interface Leaving {
	    jobs: number;
	    asks: number;
	    orders: number;
	}
	export interface LetterMessage {
	    role: string;
	    text: string;
	}
	export interface LetterRow {
	    id: string;
	    role: string;
	    chat?: string;
	    job?: string;
	    turn?: string;
	    provider: string;
	    model?: string;
	    at: string;
	    ms: number;
	    firstTokenMs?: number;
	    tokensIn?: number;
	    tokensCached?: number;
	    tokensOut?: number;
	    error?: string;
	    attempt: number;
	    replayOf?: string;
	    recalled?: boolean;
	    request: string;
	}
	export interface LetterDetail {
	    row: LetterRow;
	    system: string;
	    messages: LetterMessage[];
	    schema?: any;
	    reply: string;
	    thinking?: string;
	    doneReason?: string;
	    problem?: string;
	}
	
	
	export interface LibraryView {
	    documents: DocumentView[];
	    shelves: event.LibraryShelf[];
	    imports: event.LibraryImport[];
	    mode: string;
	    vectors: event.LibraryVectors;
	    formats: FormatView[];
	}
	
	export interface OutboundState {
	    offline: boolean;
	    going: number;
	    last: number;
	    unseen: string[];
	    phones: boolean;
	}
	
	export interface PlanLine {
	    from?: string;
	    to?: string;
	    size?: number;
	    note?: string;
	    blocked?: boolean;
	    named?: boolean;
	}
	export interface ProjectView {
	    id: string;
	    title: string;
	    instructions: string;
	    model: string;
	    folders: string[];
	    shelves: string[];
	    folder?: boolean;
	    folded?: boolean;
	}
	export interface PromptChoice {
	    chat: string;
	    server: string;
	    prompt: string;
	    values: Record<string, string>;
	}
	export interface ReadingGuess {
	    act: string;
	    title: string;
	    p: number;
	    tags: string[];
	    why: string[];
	    words: string[];
	}
	export interface ReadingRow {
	    id: string;
	    chat: string;
	    at: string;
	    text: string;
	    guesses: ReadingGuess[];
	    outcome: ReadingOutcome;
	    taken?: string;
	    title?: string;
	    offered?: string[];
	    of?: string;
	}
	export interface ReadingsView {
	    readings: ReadingRow[];
	    reliability: act.Reliability[];
	}
	export interface ResourceChoice {
	    server: string;
	    address: string;
	    values: Record<string, string>;
	}
	export interface SearchHit {
	    kind: 'chat' | 'message' | 'job' | 'log' | 'note' | 'document' | 'passage' | 'fact' | 'payee' | 'favourite' | 'service';
	    chat?: string;
	    jobId?: string;
	    id: string;
	    title: string;
	    text: string;
	    start?: number;
	    end?: number;
	    time: string;
	}
	export interface SearchQuery {
	    text: string;
	    kinds: string[];
	    chat: string;
	    project: string;
	    since: string;
	}
	export interface SheetLine {
	    title: string;
	    at: string;
	    chat: string;
	    turn?: string;
	    jobs: string[];
	    text?: string;
	    code?: string;
	    order?: string;
	    due?: string;
	    outcome?: standing.Outcome;
	    passed?: number;
	    rule?: standing.Missed;
	}
	export interface Sheet {
	    since?: string;
	    until?: string;
	    fresh: boolean;
	    asks: event.AskOpened[];
	    together: string[];
	    counter: service.View[];
	    waiting: SheetLine[];
	    failed: SheetLine[];
	    missed: SheetLine[];
	    going: SheetLine[];
	    done: SheetLine[];
	    told: SheetLine[];
	    more?: boolean;
	}
	export interface SheetAnswer {
	    ask: string;
	    error?: event.Error;
	}
	
	export interface ShelfFile {
	    path: string;
	    state: shelf.FileState;
	    document?: string;
	    bytes: number;
	    changed: string;
	    why?: string;
	}
	export interface ShelfFilter {
	    state?: shelf.FileState | '';
	    text?: string;
	}
	export interface Snapshot {
	    seq: number;
	    chats: ChatView[];
	    workers: event.WorkerState[];
	    jobs: job.View[];
	    asks: event.AskOpened[];
	    inventory: toolbox.Rack[];
	    groups: toolbox.GroupRack[];
	    provider: event.ProviderState;
	    media: event.Media[];
	    service: service.View[];
	    shelves: event.LibraryShelf[];
	    projects: ProjectView[];
	    drafts: Record<string, string>;
	    version: string;
	    recovered?: event.ShopRecovered;
	    crashed?: string;
	}
	export interface StandingRun {
	    due: string;
	    outcome: standing.Outcome;
	    missed?: number;
	    because?: string;
	    state?: standing.RunState;
	    text?: string;
	    turn?: string;
	    jobs: string[];
	}
	export interface StandingOrder {
	    id: string;
	    chat: string;
	    what: string;
	    when: string;
	    rule: string;
	    state: standing.State;
	    missed: standing.Missed;
	    next?: string;
	    last?: string;
	    on?: standing.Cause;
	    problem?: string;
	    resting?: string;
	    upcoming: string[];
	    runs: StandingRun[];
	}
	
	export interface Takeaway {
	    chat?: string;
	    message?: string;
	    job?: string;
	}
	export interface TicketPage {
	    tickets: job.Ticket[];
	    total: number;
	    next?: number;
	}
	
	export interface VersionView {
	    id: string;
	    text: string;
	    time: string;
	    shown: boolean;
	    jobs: job.View[];
	}
	export interface WebSearchView {
	    service: web.Service;
	    address: string;
	    keySet: boolean;
	    keyPlace: string;
	}
	export interface Words {
	    chat: string;
	    text: string;
	    document: string;
	    seen: string;
	    attachments: event.Attachment[];
	}

}

export namespace standing {
	
	export type Cause = "file" | "ticket";
	export type Missed = "once" | "tell";
	export type Outcome = "run" | "missed" | "busy" | "skipped" | "looped";
	export type RunState = "running" | "waiting" | "done" | "failed";
	export type State = "proposed" | "active" | "paused" | "ended";
	export type Verb = "keep" | "edit" | "drop" | "pause" | "resume" | "now" | "skip" | "delete";

}

export namespace store {
	
	export type Reason = "daily" | "asked" | "update" | "replaced";

}

export namespace tablequery {
	
	export type Do = "sum" | "average" | "min" | "max" | "count" | "distinct" | "rows" | "columns";
	export type Each = "day" | "month" | "quarter" | "year" | "weekday";
	export type Is = "is" | "is_not" | "contains" | "above" | "at_least" | "below" | "at_most" | "between" | "empty" | "filled";
	export type Kind = "text" | "number" | "date";
	export interface Chart {
	    kind: 'bar' | 'line';
	    x: number;
	    y: number;
	    also?: number[];
	}
	export interface Filter {
	    column: string;
	    is: Is;
	    value?: string;
	    to?: string;
	}
	export interface Group {
	    column: string;
	    each?: Each;
	}
	export interface Left {
	    column?: string;
	    count: number;
	    cells?: string[];
	    why: bilingual.Text;
	}
	export interface Measure {
	    do: Do;
	    column?: string;
	}
	export interface Query {
	    sheet?: string;
	    do?: Do;
	    column?: string;
	    also?: Measure[];
	    by?: Group[];
	    where?: Filter[];
	    sort?: string;
	    order?: string;
	    top?: number;
	}
	export interface UsedRow {
	    number: number;
	    cells: string[];
	}
	export interface Used {
	    count: number;
	    range?: string;
	    columns: ResultColumn[];
	    rows: UsedRow[];
	}
	export interface ResultColumn {
	    name: string;
	    kind: Kind;
	    unit?: string;
	    about?: boolean;
	}
	export interface Result {
	    table: string;
	    sheet?: string;
	    query: Query;
	    columns: ResultColumn[];
	    rows: string[][];
	    more?: number;
	    about?: boolean;
	    used: Used;
	    left?: Left[];
	    chart?: Chart;
	}
	
	

}

export namespace toolbox {
	
	export type Confirm = "never" | "first" | "always";
	export type Effect = "read" | "idempotent" | "once";
	export type Scope = "once" | "chat" | "always" | "order";
	export interface Example {
	    text: string;
	    args?: Record<string, any>;
	}
	export interface GroupRack {
	    group: string;
	    capacity: number;
	    tools: string[];
	    holders: event.Holder[];
	}
	export interface Waiting {
	    jobId: string;
	    place: number;
	}
	export interface ParamName {
	    name: bilingual.Text;
	    values?: Record<string, bilingual.Text>;
	}
	export interface Rack {
	    tool: string;
	    title: bilingual.Text;
	    group?: string;
	    capacity: number;
	    confirm: Confirm;
	    effect: Effect;
	    long?: boolean;
	    off?: boolean;
	    params?: Record<string, ParamName>;
	    holders: event.Holder[];
	    blockedBy?: event.Holder[];
	    waiting: Waiting[];
	}
	export interface Inventory {
	    tools: Rack[];
	    groups: GroupRack[];
	}
	
	export interface Rename {
	    line: number;
	    name: string;
	}
	export interface Pick {
	    leave?: number[];
	    names?: Rename[];
	}
	
	
	export interface Spec {
	    key: string;
	    title: bilingual.Text;
	    description: bilingual.Text;
	    doing: bilingual.Text;
	    acts?: string[];
	    group?: string;
	    capacity: number;
	    confirm: Confirm;
	    effect: Effect;
	    long?: boolean;
	    params: any;
	    result: any;
	    examples?: Example[];
	    widest?: Scope;
	    consequential?: string[];
	    content?: string[];
	    strict?: Record<string, Array<string>>;
	    undo?: boolean;
	    files?: boolean;
	    money?: string;
	    untrusted?: boolean;
	    off?: boolean;
	    counter?: boolean;
	    library?: boolean;
	    house?: boolean;
	    called?: Record<string, Array<string>>;
	    ends?: bilingual.Text;
	    outside?: string;
	    keyed?: boolean;
	}

}

export namespace update {
	
	export type Kind = "deb" | "rpm" | "archive" | "setup" | "disk";
	export type State = "nowhere" | "idle" | "looking" | "current" | "newer" | "fetching" | "fetched";
	export interface View {
	    state: State;
	    current: string;
	    version?: string;
	    changes: string[];
	    kind: Kind;
	    file?: string;
	    bytes?: number;
	    done?: number;
	    path?: string;
	    command?: string;
	    looked?: string;
	    error?: event.Error;
	}

}

export namespace web {
	
	export type Service = "off" | "searxng" | "brave";

}

