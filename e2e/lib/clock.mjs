// The clock of a program that a test sets while it runs.
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Seconds from one time to the next at which a clock shows that hour. */
function until(hour, now) {
  const at = new Date(now);
  at.setHours(hour, 0, 0, 0);
  if (at <= now) at.setDate(at.getDate() + 1);
  return Math.round((at - now) / 1000);
}

/** How far the clocks of tests are ahead at first: they begin about noon, at whatever hour the tests run. */
const NOON = until(12, new Date());

/**
 * A clock for a program of the tags dev or moved, which is told of it by `env`. What comes every morning comes when the clock is moved, and never by
 * itself.
 */
export function clockOf(t) {
  const folder = mkdtempSync(join(tmpdir(), 'agentchat-clock-'));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const file = join(folder, 'ahead');
  let ahead;
  // The program looks at it at any moment, and must never find it empty: then it would be the day of the test itself.
  const set = (seconds) => {
    writeFileSync(`${file}.new`, String((ahead = seconds)));
    renameSync(`${file}.new`, file);
  };
  set(NOON);
  return {
    env: { CRASHTEST_AHEAD: file },
    /** Sets it to so many days after it began. */
    on: (day) => set(NOON + day * 86_400),
    /** Sets it to some seconds after the next time it shows that hour. */
    to: (hour, seconds) => set(ahead + until(hour, new Date(Date.now() + ahead * 1000)) + seconds),
  };
}
