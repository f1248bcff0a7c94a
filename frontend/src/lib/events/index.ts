// The only place that listens to Go. Go gathers what happens for about 33 ms and sends it as one call.
import { EventsOn } from '$wails/runtime/runtime';

import type { LogLine, event } from '../api/types';

/** The payload of each kind of envelope. */
export interface Payloads {
  'chat.created': event.ChatCreated;
  'chat.message': event.ChatMessage;
  'chat.token': event.ChatToken;
  'agent.start': event.AgentStart;
  'agent.queued': event.AgentQueued;
  'agent.done': event.AgentDone;
  'task.progress': event.TaskProgress;
  'turn.done': event.TurnDone;
  'job.created': event.JobCreated;
  'job.state': event.JobState;
  'todo.state': event.TodoState;
  'job.log': event.JobLog;
  'job.report': event.JobReport;
  'worker.state': event.WorkerState;
  'tool.acquired': event.ToolAcquired;
  'tool.released': event.ToolReleased;
  'tool.locked': event.ToolLocked;
  'tool.queued': event.ToolQueued;
  'ask.opened': event.AskOpened;
  'ask.closed': event.AskClosed;
  thinking: event.Thinking;
  sources: event.Sources;
  media: event.Media;
  'provider.state': event.ProviderState;
  'config.changed': event.ConfigChanged;
  'model.pull': event.ModelPull;
  'models.changed': event.ModelsChanged;
  'memory.changed': event.MemoryChanged;
  'bank.changed': object;
  'notes.changed': event.NotesChanged;
  'reminder.due': event.ReminderDue;
  'mcp.changed': event.MCPChanged;
  'permissions.changed': object;
  'library.import': event.LibraryImport;
  'library.changed': object;
  'library.vectors': event.LibraryVectors;
  'shop.recovered': event.ShopRecovered;
  error: event.Error;
}

export type Kind = keyof Payloads;

/** One event of the stream. `seq` rises by exactly 1. */
export type Envelope = {
  [K in Kind]: {
    seq: number;
    time: string;
    kind: K;
    chat?: string;
    job?: string;
    data: Payloads[K];
  };
}[Kind];

export interface Listener {
  envelopes(batch: Envelope[]): void;
  logs(lines: LogLine[]): void;
}

/** Starts listening; the result stops it. */
export function listen(listener: Listener): () => void {
  const stops = [
    EventsOn('events', (batch: Envelope[] | null) => listener.envelopes(batch ?? [])),
    EventsOn('logs', (lines: LogLine[] | null) => listener.logs(lines ?? [])),
  ];
  return () => stops.forEach((stop) => stop());
}
