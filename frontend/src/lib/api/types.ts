// The types of the shop, as the generated bindings have them. This is the one door to them.
import type { ask, config, event, job, logging, shop, toolbox } from '$wails/go/models';

export type { ask, config, event, job, logging, shop, toolbox };

export type Snapshot = shop.Snapshot;
export type ChatMessage = event.ChatMessage;
export type AskOpened = event.AskOpened;
export type AskReply = ask.Reply;
export type Holder = event.Holder;
export type JobView = job.View;
export type TodoView = job.TodoView;
export type JobDetail = shop.JobDetail;
export type ClosedAsk = shop.ClosedAsk;
export type SearchHit = shop.SearchHit;
export type Rack = toolbox.Rack;
export type GroupRack = toolbox.GroupRack;
export type Spec = toolbox.Spec;
export type Media = event.Media;
export type ProviderState = event.ProviderState;
export type Setting = config.Item;
export type LogLine = logging.Line;
export type JobLogEntry = shop.LogEntry;

export type JobState = 'queued' | 'running' | 'waiting' | 'succeeded' | 'failed' | 'canceled';
export type TodoState = 'pending' | 'running' | 'waiting' | 'done' | 'failed' | 'skipped';
export type WorkerStateName = 'idle' | 'running' | 'waiting' | 'succeeded' | 'failed' | 'canceled';
export type Blink = 'none' | 'yellow' | 'green' | 'red';
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
