/** How loud one device is, as the person left it. */
export class Volume {
  level = $state(0.8);
  muted = $state(false);

  #key: string;

  constructor(device: string) {
    this.#key = `agentchat.volume.${device}`;
    const [level, muted] = (localStorage.getItem(this.#key) ?? '').split(' ');
    const kept = Number.parseFloat(level ?? '');
    if (kept >= 0 && kept <= 1) this.level = kept;
    this.muted = muted === 'muted';
  }

  /** Sets how loud, 0…1. Turning it up also ends being mute. */
  turn(level: number): void {
    this.level = Math.min(Math.max(level, 0), 1);
    this.muted = this.level === 0;
    this.#keep();
  }

  mute(): void {
    this.muted = !this.muted;
    if (!this.muted && this.level === 0) this.level = 0.5;
    this.#keep();
  }

  #keep(): void {
    localStorage.setItem(this.#key, `${this.level} ${this.muted ? 'muted' : 'on'}`);
  }
}
