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

/** How far a clock is ahead that begins about noon, at whatever hour the tests run. */
const NOON = until(12, new Date());

/**
 * A clock for a program of the tags dev or moved, which is told of it by `env`. The days of the shop come by it, and when somebody was there; jobs and
 * questions have the system's time. One that begins at noon has what comes every morning come when it is moved, and never by itself.
 */
export function clockOf(t, { noon = false } = {}) {
  const first = noon ? NOON : 0;
  const folder = mkdtempSync(join(tmpdir(), 'agentchat-clock-'));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  const file = join(folder, 'ahead');
  let ahead;
  // The program looks at it at any moment, and must never find it empty: then it would be the day of the test itself.
  const set = (seconds) => {
    writeFileSync(`${file}.new`, String((ahead = seconds)));
    renameSync(`${file}.new`, file);
  };
  set(first);
  return {
    env: { CRASHTEST_AHEAD: file },
    /** Sets it to so many days after it began. */
    on: (day) => set(first + day * 86_400),
    /** Sets it to some seconds after the next time it shows that hour. */
    to: (hour, seconds) => set(ahead + until(hour, new Date(Date.now() + ahead * 1000)) + seconds),
  };
}
