import { SvelteMap } from 'svelte/reactivity';

import { api } from '$lib/api';
import type { Of } from '$lib/events';
import type { Media, Snapshot } from '$lib/api/types';

import { attempt } from './toasts.svelte';

/** What plays on the Monitor and the two decks, by device. A device that is not here is dark. */
export class MediaStore {
  readonly kinds = ['media'] as const;
  readonly byDevice = new SvelteMap<string, Media>();

  readonly #wanted = new Map<string, number>();

  get monitor(): Media | undefined {
    return this.byDevice.get('monitor');
  }

  get playing(): boolean {
    return this.byDevice.size > 0;
  }

  /** Tells how far a device is. The shop may have closed the piece meanwhile; then nobody waits for this. */
  report(device: string, position: number, seconds: number, ended: boolean, take: number): void {
    const report = { device, jobId: '', take, position, seconds, ended };
    api.mediaReport(report).catch(() => undefined);
  }

  /** Does something with what plays on a device; a level is how loud it shall be, 0…100. */
  async control(device: string, act: string, level?: number): Promise<void> {
    await attempt(() => api.mediaControl({ act, level, device, kind: '', title: '' }));
  }

  /** Turns a device as loud as it is wanted last, while a person still moves the knob. */
  async turn(device: string, level: number): Promise<void> {
    const busy = this.#wanted.has(device);
    this.#wanted.set(device, level);
    if (busy) return;
    let told: number | undefined;
    while (told !== this.#wanted.get(device)) {
      told = this.#wanted.get(device);
      await this.control(device, 'volume', told);
    }
    this.#wanted.delete(device);
  }

  load(snapshot: Snapshot): void {
    const now = snapshot.media ?? [];
    const devices = new Set(now.map((m) => m.device));
    for (const device of this.byDevice.keys())
      if (!devices.has(device)) this.byDevice.delete(device);
    for (const media of now) this.byDevice.set(media.device, media);
  }

  apply(e: Of<(typeof this.kinds)[number]>): void {
    if (e.kind !== 'media') return;
    const { device, action } = e.data;
    if (action === 'close') {
      // A late goodbye of the piece before must not stop the one that plays now.
      const now = this.byDevice.get(device);
      if (!now || !e.data.jobId || now.jobId === e.data.jobId) this.byDevice.delete(device);
      return;
    }
    const before = this.byDevice.get(device);
    // A progress report says only what moved.
    const base = action === 'progress' && before?.jobId === e.data.jobId ? before : undefined;
    this.byDevice.set(device, { ...base, ...e.data, url: e.data.url || base?.url });
  }
}
