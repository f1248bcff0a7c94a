import { toApiError } from '$lib/api/error';

export interface Toast {
  id: number;
  kind: 'error' | 'info' | 'done';
  text: string;
  action?: { label: string; run: () => void };
}

const SHOWN_MS = 6000;
/** How much longer they stay who are looked at when their time is over. */
const LOOKED_AT_MS = 2000;

/** Short notes in the corner. */
export class Toasts {
  list = $state.raw<Toast[]>([]);
  /** Whether somebody points at them or goes through them with keys: none goes meanwhile. */
  lookedAt = (): boolean => false;
  #next = 1;

  show(toast: Omit<Toast, 'id'>, ms = SHOWN_MS): number {
    const id = this.#next++;
    // The same sentence twice says nothing more.
    this.list = [...this.list.filter((t) => t.text !== toast.text), { ...toast, id }].slice(-4);
    setTimeout(() => this.#expire(id), ms);
    return id;
  }

  #expire(id: number): void {
    if (this.list.some((t) => t.id === id) && this.lookedAt())
      setTimeout(() => this.#expire(id), LOOKED_AT_MS);
    else this.dismiss(id);
  }

  /** Shows what a bound call threw. Errors stay longer, because they say what to do next. */
  error(thrown: unknown): void {
    this.show({ kind: 'error', text: toApiError(thrown).message }, SHOWN_MS * 2);
  }

  dismiss(id: number): void {
    this.list = this.list.filter((t) => t.id !== id);
  }
}

export const toasts = new Toasts();

/** Runs a bound call from a button: what fails is said in the corner. */
export async function attempt<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (thrown) {
    toasts.error(thrown);
    return undefined;
  }
}
