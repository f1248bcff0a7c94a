import { SvelteMap } from 'svelte/reactivity';

import type { Envelope } from '$lib/events';
import type { Media, Snapshot } from '$lib/api/types';

/** What plays on the Monitor and the two decks, by device. A device that is not here is dark. */
export class MediaStore {
  readonly byDevice = new SvelteMap<string, Media>();

  get monitor(): Media | undefined {
    return this.byDevice.get('monitor');
  }

  get playing(): boolean {
    return this.byDevice.size > 0;
  }

  load(snapshot: Snapshot): void {
    const now = snapshot.media ?? [];
    const devices = new Set(now.map((m) => m.device));
    for (const device of this.byDevice.keys())
      if (!devices.has(device)) this.byDevice.delete(device);
    for (const media of now) this.byDevice.set(media.device, media);
  }

  apply(e: Envelope): void {
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
