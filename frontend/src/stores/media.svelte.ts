import { SvelteMap } from 'svelte/reactivity';

import { api } from '$lib/api';
import type { Of } from '$lib/events';
import type { Media, Snapshot } from '$lib/api/types';

/** What plays on the Monitor and the two decks, by device. A device that is not here is dark. */
export class MediaStore {
  readonly kinds = ['media'] as const;
  readonly byDevice = new SvelteMap<string, Media>();

  get monitor(): Media | undefined {
    return this.byDevice.get('monitor');
  }

  get playing(): boolean {
    return this.byDevice.size > 0;
  }

  /** Tells how far a device is. The shop may have closed the piece meanwhile; then nobody waits for this. */
  report(device: string, position: number, length: number, ended: boolean): void {
    api.mediaReport(device, position, length, ended).catch(() => undefined);
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
