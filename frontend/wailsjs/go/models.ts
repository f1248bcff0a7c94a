export namespace ask {
	
	export class Reply {
	    ask: string;
	    choice: string;
	    digest?: string;
	    args?: any;
	    text?: string;
	    holder?: string;
	
	    static createFrom(source: any = {}) {
	        return new Reply(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.ask = source["ask"];
	        this.choice = source["choice"];
	        this.digest = source["digest"];
	        this.args = source["args"];
	        this.text = source["text"];
	        this.holder = source["holder"];
	    }
	}

}

export namespace event {
	
	export class AgentDone {
	    agent: string;
	    label: string;
	    success: boolean;
	    result?: string;
	    stage?: string;
	    ms: number;
	    tokensIn?: number;
	    tokensOut?: number;
	
	    static createFrom(source: any = {}) {
	        return new AgentDone(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.agent = source["agent"];
	        this.label = source["label"];
	        this.success = source["success"];
	        this.result = source["result"];
	        this.stage = source["stage"];
	        this.ms = source["ms"];
	        this.tokensIn = source["tokensIn"];
	        this.tokensOut = source["tokensOut"];
	    }
	}
	export class AgentStart {
	    agent: string;
	    label: string;
	
	    static createFrom(source: any = {}) {
	        return new AgentStart(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.agent = source["agent"];
	        this.label = source["label"];
	    }
	}
	export class AskClosed {
	    id: string;
	    jobId?: string;
	    choice: string;
	    by: string;
	    reason?: string;
	
	    static createFrom(source: any = {}) {
	        return new AskClosed(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.jobId = source["jobId"];
	        this.choice = source["choice"];
	        this.by = source["by"];
	        this.reason = source["reason"];
	    }
	}
	export class Holder {
	    jobId: string;
	    title?: string;
	    tool: string;
	    leaseId?: string;
	    since: string;
	    reserved?: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Holder(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.jobId = source["jobId"];
	        this.title = source["title"];
	        this.tool = source["tool"];
	        this.leaseId = source["leaseId"];
	        this.since = source["since"];
	        this.reserved = source["reserved"];
	    }
	}
	export class AskOpened {
	    id: string;
	    kind: string;
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
	
	    static createFrom(source: any = {}) {
	        return new AskOpened(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.kind = source["kind"];
	        this.chat = source["chat"];
	        this.jobId = source["jobId"];
	        this.jobTitle = source["jobTitle"];
	        this.todoId = source["todoId"];
	        this.question = source["question"];
	        this.choices = source["choices"];
	        this.tool = source["tool"];
	        this.args = source["args"];
	        this.digest = source["digest"];
	        this.effect = source["effect"];
	        this.reason = source["reason"];
	        this.place = source["place"];
	        this.holders = this.convertValues(source["holders"], Holder);
	        this.time = source["time"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Button {
	    id: string;
	    label: string;
	
	    static createFrom(source: any = {}) {
	        return new Button(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.label = source["label"];
	    }
	}
	export class ChatCreated {
	    id: string;
	    title: string;
	
	    static createFrom(source: any = {}) {
	        return new ChatCreated(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.title = source["title"];
	    }
	}
	export class ChatMessage {
	    id: string;
	    role: string;
	    text: string;
	    jobId?: string;
	    buttons?: Button[];
	    time?: string;
	    code?: string;
	
	    static createFrom(source: any = {}) {
	        return new ChatMessage(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.role = source["role"];
	        this.text = source["text"];
	        this.jobId = source["jobId"];
	        this.buttons = this.convertValues(source["buttons"], Button);
	        this.time = source["time"];
	        this.code = source["code"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ChatToken {
	    id: string;
	    delta: string;
	
	    static createFrom(source: any = {}) {
	        return new ChatToken(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.delta = source["delta"];
	    }
	}
	export class ConfigChanged {
	    changed: Record<string, any>;
	
	    static createFrom(source: any = {}) {
	        return new ConfigChanged(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.changed = source["changed"];
	    }
	}
	export class Envelope {
	    seq: number;
	    time: string;
	    kind: string;
	    chat?: string;
	    job?: string;
	    data: any;
	
	    static createFrom(source: any = {}) {
	        return new Envelope(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.seq = source["seq"];
	        this.time = source["time"];
	        this.kind = source["kind"];
	        this.chat = source["chat"];
	        this.job = source["job"];
	        this.data = source["data"];
	    }
	}
	export class Error {
	    code: string;
	    message: string;
	    fields?: Record<string, any>;
	
	    static createFrom(source: any = {}) {
	        return new Error(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.code = source["code"];
	        this.message = source["message"];
	        this.fields = source["fields"];
	    }
	}
	
	export class TodoBrief {
	    id: string;
	    title: string;
	    tool?: string;
	
	    static createFrom(source: any = {}) {
	        return new TodoBrief(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.title = source["title"];
	        this.tool = source["tool"];
	    }
	}
	export class JobCreated {
	    id: string;
	    jobId: string;
	    number: number;
	    title: string;
	    chat: string;
	    todos: TodoBrief[];
	    place?: number;
	
	    static createFrom(source: any = {}) {
	        return new JobCreated(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.jobId = source["jobId"];
	        this.number = source["number"];
	        this.title = source["title"];
	        this.chat = source["chat"];
	        this.todos = this.convertValues(source["todos"], TodoBrief);
	        this.place = source["place"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class JobLog {
	    jobId: string;
	    level: string;
	    line: string;
	    todoId?: string;
	
	    static createFrom(source: any = {}) {
	        return new JobLog(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.jobId = source["jobId"];
	        this.level = source["level"];
	        this.line = source["line"];
	        this.todoId = source["todoId"];
	    }
	}
	export class JobReport {
	    jobId: string;
	    text: string;
	    toolsUsed: string[];
	    seconds: number;
	
	    static createFrom(source: any = {}) {
	        return new JobReport(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.jobId = source["jobId"];
	        this.text = source["text"];
	        this.toolsUsed = source["toolsUsed"];
	        this.seconds = source["seconds"];
	    }
	}
	export class JobState {
	    id: string;
	    jobId: string;
	    from: string;
	    to: string;
	    reason?: string;
	
	    static createFrom(source: any = {}) {
	        return new JobState(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.jobId = source["jobId"];
	        this.from = source["from"];
	        this.to = source["to"];
	        this.reason = source["reason"];
	    }
	}
	export class Place {
	    name: string;
	    lat: number;
	    lon: number;
	
	    static createFrom(source: any = {}) {
	        return new Place(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.lat = source["lat"];
	        this.lon = source["lon"];
	    }
	}
	export class NavMap {
	    from: Place;
	    to: Place;
	    here: Place;
	    totalKm: number;
	    leftKm: number;
	    bearing: number;
	    progress: number;
	    direction: string;
	    note: string;
	
	    static createFrom(source: any = {}) {
	        return new NavMap(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.from = this.convertValues(source["from"], Place);
	        this.to = this.convertValues(source["to"], Place);
	        this.here = this.convertValues(source["here"], Place);
	        this.totalKm = source["totalKm"];
	        this.leftKm = source["leftKm"];
	        this.bearing = source["bearing"];
	        this.progress = source["progress"];
	        this.direction = source["direction"];
	        this.note = source["note"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Media {
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
	
	    static createFrom(source: any = {}) {
	        return new Media(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.action = source["action"];
	        this.device = source["device"];
	        this.kind = source["kind"];
	        this.jobId = source["jobId"];
	        this.title = source["title"];
	        this.url = source["url"];
	        this.seconds = source["seconds"];
	        this.position = source["position"];
	        this.rate = source["rate"];
	        this.map = this.convertValues(source["map"], NavMap);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	
	export class ProviderState {
	    provider: string;
	    model: string;
	    health: string;
	    detail?: string;
	
	    static createFrom(source: any = {}) {
	        return new ProviderState(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.provider = source["provider"];
	        this.model = source["model"];
	        this.health = source["health"];
	        this.detail = source["detail"];
	    }
	}
	export class Source {
	    documentId: string;
	    title: string;
	    article?: string;
	    page?: number;
	    quote: string;
	    score: number;
	
	    static createFrom(source: any = {}) {
	        return new Source(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.documentId = source["documentId"];
	        this.title = source["title"];
	        this.article = source["article"];
	        this.page = source["page"];
	        this.quote = source["quote"];
	        this.score = source["score"];
	    }
	}
	export class Sources {
	    messageId: string;
	    items: Source[];
	
	    static createFrom(source: any = {}) {
	        return new Sources(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.messageId = source["messageId"];
	        this.items = this.convertValues(source["items"], Source);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class TaskProgress {
	    index: number;
	    total: number;
	    slots: Record<string, any>;
	
	    static createFrom(source: any = {}) {
	        return new TaskProgress(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.index = source["index"];
	        this.total = source["total"];
	        this.slots = source["slots"];
	    }
	}
	export class Thinking {
	    step: string;
	    text: string;
	    data?: any;
	
	    static createFrom(source: any = {}) {
	        return new Thinking(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.step = source["step"];
	        this.text = source["text"];
	        this.data = source["data"];
	    }
	}
	
	export class TodoState {
	    jobId: string;
	    todoId: string;
	    index: number;
	    state: string;
	    node: string;
	    title?: string;
	    tool?: string;
	
	    static createFrom(source: any = {}) {
	        return new TodoState(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.jobId = source["jobId"];
	        this.todoId = source["todoId"];
	        this.index = source["index"];
	        this.state = source["state"];
	        this.node = source["node"];
	        this.title = source["title"];
	        this.tool = source["tool"];
	    }
	}
	export class ToolAcquired {
	    tool: string;
	    group?: string;
	    leaseId: string;
	    jobId: string;
	
	    static createFrom(source: any = {}) {
	        return new ToolAcquired(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.tool = source["tool"];
	        this.group = source["group"];
	        this.leaseId = source["leaseId"];
	        this.jobId = source["jobId"];
	    }
	}
	export class ToolLocked {
	    tool: string;
	    group?: string;
	    jobId: string;
	    reason: string;
	    holders: Holder[];
	    place: number;
	
	    static createFrom(source: any = {}) {
	        return new ToolLocked(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.tool = source["tool"];
	        this.group = source["group"];
	        this.jobId = source["jobId"];
	        this.reason = source["reason"];
	        this.holders = this.convertValues(source["holders"], Holder);
	        this.place = source["place"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ToolQueued {
	    tool: string;
	    group?: string;
	    jobId: string;
	    reason?: string;
	    place: number;
	
	    static createFrom(source: any = {}) {
	        return new ToolQueued(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.tool = source["tool"];
	        this.group = source["group"];
	        this.jobId = source["jobId"];
	        this.reason = source["reason"];
	        this.place = source["place"];
	    }
	}
	export class ToolReleased {
	    tool: string;
	    group?: string;
	    leaseId: string;
	    jobId: string;
	
	    static createFrom(source: any = {}) {
	        return new ToolReleased(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.tool = source["tool"];
	        this.group = source["group"];
	        this.leaseId = source["leaseId"];
	        this.jobId = source["jobId"];
	    }
	}
	export class TurnState {
	    stage: string;
	    slots: Record<string, any>;
	    meta: Record<string, any>;
	
	    static createFrom(source: any = {}) {
	        return new TurnState(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.stage = source["stage"];
	        this.slots = source["slots"];
	        this.meta = source["meta"];
	    }
	}
	export class UIHint {
	    buttons: Button[];
	
	    static createFrom(source: any = {}) {
	        return new UIHint(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.buttons = this.convertValues(source["buttons"], Button);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class TurnDone {
	    message: string;
	    messageId: string;
	    nextAction: string;
	    uiHint: UIHint;
	    state: TurnState;
	    jobs?: string[];
	
	    static createFrom(source: any = {}) {
	        return new TurnDone(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.message = source["message"];
	        this.messageId = source["messageId"];
	        this.nextAction = source["nextAction"];
	        this.uiHint = this.convertValues(source["uiHint"], UIHint);
	        this.state = this.convertValues(source["state"], TurnState);
	        this.jobs = source["jobs"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	
	export class WorkerState {
	    worker: number;
	    state: string;
	    jobId?: string;
	    blink: string;
	
	    static createFrom(source: any = {}) {
	        return new WorkerState(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.worker = source["worker"];
	        this.state = source["state"];
	        this.jobId = source["jobId"];
	        this.blink = source["blink"];
	    }
	}

}

export namespace job {
	
	export class TodoView {
	    id: string;
	    title: string;
	    tool?: string;
	    state: string;
	    node: string;
	    text?: string;
	
	    static createFrom(source: any = {}) {
	        return new TodoView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.title = source["title"];
	        this.tool = source["tool"];
	        this.state = source["state"];
	        this.node = source["node"];
	        this.text = source["text"];
	    }
	}
	export class View {
	    id: string;
	    number: number;
	    title: string;
	    chat: string;
	    state: string;
	    reason?: string;
	    code?: string;
	    todos: TodoView[];
	    report?: string;
	    created: string;
	    started?: string;
	    ended?: string;
	    place?: number;
	
	    static createFrom(source: any = {}) {
	        return new View(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.number = source["number"];
	        this.title = source["title"];
	        this.chat = source["chat"];
	        this.state = source["state"];
	        this.reason = source["reason"];
	        this.code = source["code"];
	        this.todos = this.convertValues(source["todos"], TodoView);
	        this.report = source["report"];
	        this.created = source["created"];
	        this.started = source["started"];
	        this.ended = source["ended"];
	        this.place = source["place"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}

}

export namespace main {
	
	export class EventShapes {
	    envelope: event.Envelope;
	    chatCreated: event.ChatCreated;
	    chatMessage: event.ChatMessage;
	    chatToken: event.ChatToken;
	    agentStart: event.AgentStart;
	    agentDone: event.AgentDone;
	    taskProgress: event.TaskProgress;
	    turnDone: event.TurnDone;
	    jobCreated: event.JobCreated;
	    jobState: event.JobState;
	    todoState: event.TodoState;
	    jobLog: event.JobLog;
	    jobReport: event.JobReport;
	    workerState: event.WorkerState;
	    toolAcquired: event.ToolAcquired;
	    toolReleased: event.ToolReleased;
	    toolLocked: event.ToolLocked;
	    toolQueued: event.ToolQueued;
	    askOpened: event.AskOpened;
	    askClosed: event.AskClosed;
	    thinking: event.Thinking;
	    sources: event.Sources;
	    media: event.Media;
	    providerState: event.ProviderState;
	    configChanged: event.ConfigChanged;
	    error: event.Error;
	
	    static createFrom(source: any = {}) {
	        return new EventShapes(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.envelope = this.convertValues(source["envelope"], event.Envelope);
	        this.chatCreated = this.convertValues(source["chatCreated"], event.ChatCreated);
	        this.chatMessage = this.convertValues(source["chatMessage"], event.ChatMessage);
	        this.chatToken = this.convertValues(source["chatToken"], event.ChatToken);
	        this.agentStart = this.convertValues(source["agentStart"], event.AgentStart);
	        this.agentDone = this.convertValues(source["agentDone"], event.AgentDone);
	        this.taskProgress = this.convertValues(source["taskProgress"], event.TaskProgress);
	        this.turnDone = this.convertValues(source["turnDone"], event.TurnDone);
	        this.jobCreated = this.convertValues(source["jobCreated"], event.JobCreated);
	        this.jobState = this.convertValues(source["jobState"], event.JobState);
	        this.todoState = this.convertValues(source["todoState"], event.TodoState);
	        this.jobLog = this.convertValues(source["jobLog"], event.JobLog);
	        this.jobReport = this.convertValues(source["jobReport"], event.JobReport);
	        this.workerState = this.convertValues(source["workerState"], event.WorkerState);
	        this.toolAcquired = this.convertValues(source["toolAcquired"], event.ToolAcquired);
	        this.toolReleased = this.convertValues(source["toolReleased"], event.ToolReleased);
	        this.toolLocked = this.convertValues(source["toolLocked"], event.ToolLocked);
	        this.toolQueued = this.convertValues(source["toolQueued"], event.ToolQueued);
	        this.askOpened = this.convertValues(source["askOpened"], event.AskOpened);
	        this.askClosed = this.convertValues(source["askClosed"], event.AskClosed);
	        this.thinking = this.convertValues(source["thinking"], event.Thinking);
	        this.sources = this.convertValues(source["sources"], event.Sources);
	        this.media = this.convertValues(source["media"], event.Media);
	        this.providerState = this.convertValues(source["providerState"], event.ProviderState);
	        this.configChanged = this.convertValues(source["configChanged"], event.ConfigChanged);
	        this.error = this.convertValues(source["error"], event.Error);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}

}

export namespace shop {
	
	export class ChatView {
	    id: string;
	    title: string;
	    updated: string;
	    messages: event.ChatMessage[];
	    busy?: boolean;
	
	    static createFrom(source: any = {}) {
	        return new ChatView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.title = source["title"];
	        this.updated = source["updated"];
	        this.messages = this.convertValues(source["messages"], event.ChatMessage);
	        this.busy = source["busy"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ClosedAsk {
	    ask: event.AskOpened;
	    choice: string;
	    by: string;
	    text?: string;
	    time?: string;
	
	    static createFrom(source: any = {}) {
	        return new ClosedAsk(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.ask = this.convertValues(source["ask"], event.AskOpened);
	        this.choice = source["choice"];
	        this.by = source["by"];
	        this.text = source["text"];
	        this.time = source["time"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class LogEntry {
	    time: string;
	    jobId: string;
	    todoId?: string;
	    level: string;
	    line: string;
	
	    static createFrom(source: any = {}) {
	        return new LogEntry(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.time = source["time"];
	        this.jobId = source["jobId"];
	        this.todoId = source["todoId"];
	        this.level = source["level"];
	        this.line = source["line"];
	    }
	}
	export class JobDetail {
	    job: job.View;
	    asks: event.AskOpened[];
	    closed: ClosedAsk[];
	    log: LogEntry[];
	    messages: event.ChatMessage[];
	
	    static createFrom(source: any = {}) {
	        return new JobDetail(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.job = this.convertValues(source["job"], job.View);
	        this.asks = this.convertValues(source["asks"], event.AskOpened);
	        this.closed = this.convertValues(source["closed"], ClosedAsk);
	        this.log = this.convertValues(source["log"], LogEntry);
	        this.messages = this.convertValues(source["messages"], event.ChatMessage);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class SearchHit {
	    kind: string;
	    chat?: string;
	    jobId?: string;
	    id: string;
	    title: string;
	    text: string;
	    time: string;
	
	    static createFrom(source: any = {}) {
	        return new SearchHit(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.kind = source["kind"];
	        this.chat = source["chat"];
	        this.jobId = source["jobId"];
	        this.id = source["id"];
	        this.title = source["title"];
	        this.text = source["text"];
	        this.time = source["time"];
	    }
	}
	export class Snapshot {
	    seq: number;
	    chats: ChatView[];
	    workers: event.WorkerState[];
	    jobs: job.View[];
	    asks: event.AskOpened[];
	    inventory: toolbox.Rack[];
	    groups: toolbox.GroupRack[];
	    provider: event.ProviderState;
	    media: event.Media[];
	    version: string;
	
	    static createFrom(source: any = {}) {
	        return new Snapshot(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.seq = source["seq"];
	        this.chats = this.convertValues(source["chats"], ChatView);
	        this.workers = this.convertValues(source["workers"], event.WorkerState);
	        this.jobs = this.convertValues(source["jobs"], job.View);
	        this.asks = this.convertValues(source["asks"], event.AskOpened);
	        this.inventory = this.convertValues(source["inventory"], toolbox.Rack);
	        this.groups = this.convertValues(source["groups"], toolbox.GroupRack);
	        this.provider = this.convertValues(source["provider"], event.ProviderState);
	        this.media = this.convertValues(source["media"], event.Media);
	        this.version = source["version"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}

}

export namespace toolbox {
	
	export class Example {
	    text: string;
	    args?: Record<string, any>;
	
	    static createFrom(source: any = {}) {
	        return new Example(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.text = source["text"];
	        this.args = source["args"];
	    }
	}
	export class GroupRack {
	    group: string;
	    capacity: number;
	    tools: string[];
	    holders: event.Holder[];
	
	    static createFrom(source: any = {}) {
	        return new GroupRack(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.group = source["group"];
	        this.capacity = source["capacity"];
	        this.tools = source["tools"];
	        this.holders = this.convertValues(source["holders"], event.Holder);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Waiting {
	    jobId: string;
	    place: number;
	
	    static createFrom(source: any = {}) {
	        return new Waiting(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.jobId = source["jobId"];
	        this.place = source["place"];
	    }
	}
	export class Text {
	    ko: string;
	    en: string;
	
	    static createFrom(source: any = {}) {
	        return new Text(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.ko = source["ko"];
	        this.en = source["en"];
	    }
	}
	export class Rack {
	    tool: string;
	    title: Text;
	    group?: string;
	    capacity: number;
	    confirm: string;
	    effect: string;
	    long?: boolean;
	    holders: event.Holder[];
	    blockedBy?: event.Holder[];
	    waiting: Waiting[];
	
	    static createFrom(source: any = {}) {
	        return new Rack(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.tool = source["tool"];
	        this.title = this.convertValues(source["title"], Text);
	        this.group = source["group"];
	        this.capacity = source["capacity"];
	        this.confirm = source["confirm"];
	        this.effect = source["effect"];
	        this.long = source["long"];
	        this.holders = this.convertValues(source["holders"], event.Holder);
	        this.blockedBy = this.convertValues(source["blockedBy"], event.Holder);
	        this.waiting = this.convertValues(source["waiting"], Waiting);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Spec {
	    key: string;
	    title: Text;
	    description: Text;
	    group?: string;
	    capacity: number;
	    confirm: string;
	    effect: string;
	    long?: boolean;
	    params: any;
	    result: any;
	    examples?: Example[];
	
	    static createFrom(source: any = {}) {
	        return new Spec(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.key = source["key"];
	        this.title = this.convertValues(source["title"], Text);
	        this.description = this.convertValues(source["description"], Text);
	        this.group = source["group"];
	        this.capacity = source["capacity"];
	        this.confirm = source["confirm"];
	        this.effect = source["effect"];
	        this.long = source["long"];
	        this.params = source["params"];
	        this.result = source["result"];
	        this.examples = this.convertValues(source["examples"], Example);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	

}

