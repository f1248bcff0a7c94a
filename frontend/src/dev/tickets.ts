// The list of all jobs of a pretended shop: those on its board, and many that ended long ago.
import type { JobView, Ticket, TicketFilter } from '../lib/api/types';

const LONG_AGO = 2000;
const HOUR = 3_600_000;

const old = Array.from({ length: LONG_AGO }, (_, i): Ticket => {
  const failed = i % 20 === 0;
  return {
    id: `old-${i}`,
    number: -i,
    title: ['서울 날씨', '12 × 3', '노래 틀기', '길 안내'][i % 4] ?? '',
    chat: 'main',
    state: failed ? 'failed' : 'succeeded',
    text: failed ? '하지 못했어요.' : '끝났어요.',
    tools: [['weather', 'calculator', 'song', 'nav'][i % 4] ?? ''],
    created: new Date(Date.now() - (i + 24) * HOUR).toISOString(),
    ended: new Date(Date.now() - (i + 24) * HOUR + 60_000).toISOString(),
  };
});

const ticketOf = ({ id, number, title, chat, state, reason, report, todos, ...at }: JobView) => ({
  ...{
    id,
    number,
    title,
    chat,
    state,
    text: report || reason || '',
    request: title,
    created: at.created,
  },
  ...{ turn: at.turn ?? '', standing: at.standing ?? '', ended: at.ended ?? '' },
  tools: (todos ?? []).flatMap((t) => (t.tool ? [t.tool] : [])),
});

/** A page of them, as the shop would give it. */
export function tickets(jobs: JobView[], f: TicketFilter, cursor: number, limit: number) {
  const day = (t: Ticket) => t.created.slice(0, 10);
  const fits = [...jobs.map(ticketOf), ...old]
    .sort((a, b) => b.number - a.number)
    .filter(
      (t) =>
        (!f.state || t.state === f.state) &&
        (!f.chat || t.chat === f.chat) &&
        (!f.standing || t.standing === f.standing) &&
        (!f.tool || t.tools.includes(f.tool)) &&
        (!f.from || day(t) >= f.from) &&
        (!f.to || day(t) <= f.to) &&
        (f.words ?? '').split(/\s+/).every((w) => t.title.includes(w)),
    );
  return {
    total: fits.length,
    tickets: fits
      .filter((t) => (!cursor || t.number < cursor) && (!f.ids || f.ids.includes(t.id)))
      .slice(0, limit),
  };
}
