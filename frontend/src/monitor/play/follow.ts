/** The shop's clock of a piece, as the last media event told it. */
export interface Clock {
  position: number;
  seconds: number;
  /** Seconds of the piece in one real second. */
  rate: number;
}

/** Where a real player stands. The duration is NaN until it is known. */
export interface Stand {
  position: number;
  duration: number;
  seeking: boolean;
  ended: boolean;
}

/** What the player must do to be where the clock is. */
export interface Step {
  rate: number;
  /** Sound makes no sense at this pace. */
  silent: boolean;
  /** Where to jump to; undefined: stay, the player is close enough. */
  seek?: number;
}

/** The fastest a player is asked to play; beyond it, it is silent and jumps along. */
export const FASTEST = 4;

/** How far a player may be from the clock before it jumps, in seconds. A smaller difference cannot be heard. */
export const DRIFT = 1.5;

const SLOWEST = 0.0625; // what browsers allow

/** Decides how a player follows the shop's clock. */
export function follow(clock: Clock, player: Stand): Step {
  const pace = clock.rate > 0 ? clock.rate : 1;
  const step: Step = { rate: Math.min(Math.max(pace, SLOWEST), FASTEST), silent: pace > FASTEST };
  if (player.seeking || player.ended) return step;
  const end = Number.isFinite(player.duration) ? player.duration : clock.seconds || Infinity;
  const goal = Math.min(Math.max(clock.position, 0), Math.max(end - 0.05, 0));
  if (Math.abs(goal - player.position) > DRIFT) step.seek = goal;
  return step;
}

/** Whether the shop's clock should follow the player: only where it plays in real time. */
export const leads = (clock: Clock): boolean => clock.rate === 1;
