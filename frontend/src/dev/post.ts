// Pretend letters: one of each kind a person may come across.
import type { LetterDetail, LetterRow, ReadingsView } from '../lib/api/types';

const system = `You are the interpreter of a shop. Answer with one JSON object.

Tools:
- nav: 길 안내 {"to": string}
- song: 노래 {"query": string}
- weather: 날씨 {"place": string}
`.repeat(6);

const roles = ['planner', 'tool_chooser', 'solver', 'reporter', 'summarizer', 'intent', 'slot'];
const requests = [
  '먼저 부산 날씨 알려주고 그 다음 노래 한 곡 틀어줘. 그리고 저녁 7시에 다시 알려줘',
  '부산 날씨',
  '두 도시의 기온 차이를 설명해줘',
  '일이 끝났어요',
  '여기까지의 대화를 요약하기',
];

const replies: Record<string, string> = {
  planner:
    '{"route":"jobs","reply":"날씨를 알려 드리고 노래를 틀게요.","jobs":[{"title":"날씨와 노래","todos":[{"title":"부산 날씨 알아보기","tool":"weather"},{"title":"노래 한 곡 틀기","tool":"song"}]}]}',
  tool_chooser: '{"tool":"weather","args":{"place":"부산"}}',
};

export class Post {
  rows: LetterRow[] = Array.from({ length: 40 }, (_, i) => {
    const role = roles[i % 5] ?? 'planner';
    const tokensIn = 2140 + i * 37;
    return {
      id: `letter-${i}`,
      role,
      chat: 'main',
      provider: i % 9 === 7 ? 'builtin' : 'ollama',
      model: i % 9 === 7 ? '' : 'qwen3:4b',
      at: new Date(Date.now() - i * 47_000).toISOString(),
      ms: 640 + ((i * 977) % 9000),
      firstTokenMs: i % 9 === 7 ? 0 : 120 + ((i * 131) % 900),
      tokensIn: i % 9 === 7 ? 0 : tokensIn,
      tokensCached:
        i % 9 === 7 ? 0 : Math.round(tokensIn * ([0.97, 0.95, 0.62, 0.99, 0][i % 5] ?? 0)),
      tokensOut: i % 9 === 7 ? 0 : 38 + ((i * 53) % 400),
      error: i === 3 || i === 12 ? 'model_bad_output' : '',
      attempt: i === 2 ? 2 : 1,
      replayOf: i === 4 ? 'letter-9' : '',
      request: requests[i % 5] ?? '',
    };
  });
  #replayed = 0;

  readings(): ReadingsView {
    const row = this.rows[0];
    if (!row) return { readings: [], reliability: [] };
    return {
      readings: [
        {
          id: 'said',
          chat: row.chat ?? '',
          at: row.at,
          text: '오늘은 흐리나요?',
          outcome: 'asked',
          offered: ['날씨 알아보기'],
          guesses: [
            {
              act: 'weather.ask',
              title: '날씨 알아보기',
              p: 0.678,
              tags: [],
              why: [],
              words: ['흐리나요?'],
            },
            {
              act: 'knowledge',
              title: '상식 묻기',
              p: 0.163,
              tags: ['mood:question'],
              why: ['묻는 말이에요'],
              words: ['오늘은'],
            },
          ],
        },
      ],
      reliability: [
        { n: 1958, said: 0.353, right: 0.518 },
        { n: 2785, said: 0.651, right: 0.763 },
        { n: 18640, said: 0.967, right: 0.979 },
      ],
    };
  }

  detail(id: string): LetterDetail {
    const row = this.rows.find((r) => r.id === id);
    if (!row) throw { code: 'not_found', message: '찾을 수 없어요.' };
    const again = row.replayOf
      ? '부산은 서울보다 4℃ 따뜻해요. 바다가 가까워서 밤에도 덜 추워요.'
      : '';
    return {
      row,
      system,
      messages: [
        { role: 'user', text: '서울 날씨 알려줘' },
        { role: 'assistant', text: '서울은 12℃, 맑아요.' },
        {
          role: 'user',
          text: `role: ${row.role}\nlanguage: ko\ntime: 2026-11-21T15:07+09:00\nstate: {"todo":{"title":"부산 날씨 알아보기","tool":"weather"}}\nrequest:\n${row.request}`,
        },
      ],
      schema:
        row.role === 'planner'
          ? {
              type: 'object',
              properties: {
                route: { enum: ['answer', 'jobs'] },
                reply: { type: 'string', maxLength: 400 },
              },
              required: ['route'],
            }
          : undefined,
      reply: row.error
        ? '{"route":"jobs","reply":"네'
        : again || (replies[row.role] ?? '부산은 서울보다 4℃ 따뜻해요. 바다가 가깝기 때문이에요.'),
      thinking:
        row.role === 'solver'
          ? '손님은 두 도시의 기온 차이를 물었다. 서울 12도, 부산 16도. 차이는 4도다.'
          : '',
      doneReason: row.error ? 'length' : 'stop',
      problem: row.error ? '통역가의 답이 중간에 끊겼어요.' : '',
    };
  }

  replay(id: string): LetterDetail {
    const first = this.detail(id);
    const row = {
      ...first.row,
      id: `replay-${++this.#replayed}`,
      replayOf: id,
      at: new Date().toISOString(),
      error: '',
      attempt: 1,
    };
    this.rows = [row, ...this.rows];
    return {
      ...this.detail(row.id),
      reply: first.reply.replace('날씨를 알려 드리고', '부산 날씨부터 보고'),
      problem: '',
    };
  }
}
