// The only place that listens to Go. Go gathers what happens for about 33 ms and sends it as one call.
import { EventsOn } from '$wails/runtime/runtime';

import type { LogLine, main } from '../api/types';

/** The payload of each kind of envelope, as the bindings have them. */
export type Payloads = main.EventShapes;

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

/** An envelope of one of some kinds. */
export type Of<K extends Kind> = Extract<Envelope, { kind: K }>;

export interface Listener {
  envelopes(batch: Envelope[]): void;
  logs(lines: LogLine[]): void;
  /** The stream went on without this window: what it shows must be read anew. */
  gap(): void;
}

/** Hears that something waits for the page that did not begin in it; the result stops it. */
export const onPageCommand = (hear: () => void): (() => void) => EventsOn('page.command', hear);

/** Starts listening; the result stops it. */
export function listen(listener: Listener): () => void {
  const stops = [
    EventsOn('events', (batch: Envelope[] | null) => listener.envelopes(batch ?? [])),
    EventsOn('gap', () => listener.gap()),
    EventsOn('logs', (lines: LogLine[] | null) => listener.logs(lines ?? [])),
  ];
  return () => stops.forEach((stop) => stop());
}
