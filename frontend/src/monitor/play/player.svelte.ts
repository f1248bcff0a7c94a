import type { Media } from '$lib/api/types';

import { follow, leads, type Clock } from './follow';

/** Why nothing is heard or seen. */
export type Trouble = 'none' | 'blocked' | 'missing' | 'broken' | 'format';

type Report = (position: number, length: number, ended: boolean, take: number) => void;

const REPORT_MS = 1000;

/**
 * Makes a real audio or video element follow the shop's clock, and tells the shop where it is while it plays in real
 * time. One Player serves one element for as long as it is on the page.
 */
export class Player {
  trouble = $state<Trouble>('none');
  position = $state(0);
  length = $state(0);

  #element: HTMLMediaElement;
  #report: Report;
  #clock: Clock = { position: 0, seconds: 0, rate: 1 };
  #reported = 0;
  #url: string | undefined;
  #take = 0;
  #paused = false;
  #stopWaiting: () => void = () => undefined;
  #silent = $state(false);

  constructor(element: HTMLMediaElement, report: Report) {
    this.#element = element;
    this.#report = report;
  }

  /** The pace is too high for sound. */
  get silent(): boolean {
    return this.#silent;
  }

  /** Takes what the shop says of the piece. */
  take(media: Media): void {
    this.#clock = {
      position: media.position ?? 0,
      seconds: media.seconds ?? 0,
      rate: media.rate ?? 1,
    };
    const url = media.url ?? '';
    const { paused, take } = media.play ?? { paused: false, take: 0 };
    const goesOn = !paused && (this.#paused || take !== this.#take);
    const jumps = take !== this.#take;
    this.#take = take;
    this.#paused = paused;
    if (url !== this.#url) this.#open(url);
    else if (jumps) this.#jump();
    if (paused) this.#element.pause();
    else if (goesOn) void this.play();
    if (!url || this.trouble !== 'none') {
      this.position = this.#clock.position;
      this.length = this.#clock.seconds;
    }
    this.#keepUp();
  }

  /** Sets how loud it is, 0…100. */
  loud(level: number, muted: boolean): void {
    this.#element.volume = level / 100;
    this.#element.muted = muted || this.#silent;
  }

  /** Starts to play; also what the "play" button does where the webview wants a person to press one. */
  async play(): Promise<void> {
    if (!this.#url || this.#paused) return;
    try {
      await this.#element.play();
      this.trouble = 'none';
      this.#keepUp();
    } catch (thrown) {
      // Being interrupted by the next piece, or by the end of this one, is no trouble.
      if (thrown instanceof DOMException && thrown.name === 'NotAllowedError')
        this.#waitForPerson();
    }
  }

  /** Listens to the element; the result stops it and lets go of the file. */
  attach(): () => void {
    const element = this.#element;
    const hear: [string, () => void][] = [
      ['loadedmetadata', () => this.#ready()],
      ['timeupdate', () => this.#moved()],
      ['ended', () => this.#ended()],
      ['error', () => this.#failed()],
    ];
    for (const [name, handler] of hear) element.addEventListener(name, handler);
    return () => {
      for (const [name, handler] of hear) element.removeEventListener(name, handler);
      this.#stopWaiting();
      element.pause();
      element.removeAttribute('src');
      element.load();
    };
  }

  /** Webviews let media start once a person did anything at all in the window. */
  #waitForPerson(): void {
    this.trouble = 'blocked';
    this.#stopWaiting();
    const again = () => {
      this.#stopWaiting();
      void this.play();
    };
    document.addEventListener('click', again);
    document.addEventListener('keydown', again);
    this.#stopWaiting = () => {
      document.removeEventListener('click', again);
      document.removeEventListener('keydown', again);
    };
  }

  #open(url: string): void {
    this.#url = url;
    this.#reported = 0;
    this.position = this.#clock.position;
    this.length = this.#clock.seconds;
    this.trouble = url ? 'none' : 'missing';
    if (!url) return;
    this.#element.src = url;
    void this.play();
  }

  /** Goes where the clock has jumped to, however near that is. */
  #jump(): void {
    this.#reported = 0;
    this.position = this.#clock.position;
    if (this.#element.readyState >= HTMLMediaElement.HAVE_METADATA)
      this.#element.currentTime = this.#clock.position;
  }

  #ready(): void {
    const { duration } = this.#element;
    if (Number.isFinite(duration)) this.length = duration;
    this.#keepUp();
  }

  #keepUp(): void {
    const element = this.#element;
    if (!this.#url || element.readyState < HTMLMediaElement.HAVE_METADATA) return;
    const step = follow(this.#clock, {
      position: element.currentTime,
      duration: element.duration,
      seeking: element.seeking,
      ended: element.ended,
    });
    if (element.playbackRate !== step.rate) element.playbackRate = step.rate;
    this.#silent = step.silent;
    if (step.seek !== undefined) element.currentTime = step.seek;
  }

  #moved(): void {
    const element = this.#element;
    this.position = element.currentTime;
    const now = performance.now();
    if (!leads(this.#clock) || element.paused || element.seeking || element.ended) return;
    if (this.#reported && now - this.#reported < REPORT_MS) return;
    this.#reported = now;
    this.#report(element.currentTime, this.length, false, this.#take);
  }

  #ended(): void {
    this.position = this.#element.currentTime;
    if (leads(this.#clock)) this.#report(this.#element.currentTime, this.length, true, this.#take);
  }

  #failed(): void {
    const code = this.#element.error?.code;
    const cannotRead =
      code === MediaError.MEDIA_ERR_NETWORK || code === MediaError.MEDIA_ERR_ABORTED;
    this.trouble = cannotRead ? 'broken' : 'format';
  }
}
