// A pretend sheet: two edits that wait, one that failed, one that was missed. None in an empty shop.
import type { AskOpened, AskReply, SheetLine, SheetView } from '../lib/api/types';

import type { Stage } from './stage';

const HOUR = 3_600_000;
const at = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();

export class Sheets {
  #looked = false;
  #asks: AskOpened[] | undefined;

  constructor(
    private stage: Stage,
    private lang: () => string,
  ) {}

  look = (): void => void (this.#looked = true);

  approve = (shown: AskReply[]): { ask: string; error?: { code: string; message: string } }[] =>
    shown.map(({ ask }, i) => {
      if (i === 1)
        return { ask, error: { code: 'stale_answer', message: '이미 답한 질문이에요.' } };
      this.stage.answer({ ask, choice: 'approve' });
      return { ask };
    });

  /** Two jobs of a standing order ask whether they may write. */
  #wait(ko: boolean): AskOpened[] {
    const names = ko
      ? ['회의.txt', '할 일.txt', '가계부.txt']
      : ['meeting.txt', 'todo.txt', 'budget.txt'];
    return names.map((name, i) => ({
      id: `away-${i}`,
      kind: 'approval',
      chat: 'main',
      jobTitle: ko ? `${name}에 '날씨 확인' 추가` : `Append 'weather checked' to ${name}`,
      question: ko ? `${name} 파일에 쓸까요?` : `Write to ${name}?`,
      choices: ['approve', 'edit', 'reject'],
      tool: 'file_write',
      args: { path: `work/${name}`, text: ko ? '날씨 확인' : 'weather checked' },
      digest: `digest-${i}`,
      preview: {
        text: '',
        diff: `@@ -1,2 +1,3 @@\n a\n b\n+${ko ? '날씨 확인' : 'weather checked'}\n`,
      },
      scopes: [
        { scope: 'once', words: ko ? '이번만' : 'just this once', default: true },
        { scope: 'order', words: ko ? '이 정기 주문에서 계속' : 'for this standing order' },
      ],
      time: at(3 - i),
    }));
  }

  view(): SheetView {
    const ko = this.lang() === 'ko';
    const nothing = {
      asks: [],
      together: [],
      counter: [],
      waiting: [],
      failed: [],
      missed: [],
      told: [],
      going: [],
      done: [],
    };
    if (![...this.stage.chats.values()].some((c) => c.messages.length))
      return { fresh: false, ...nothing };
    if (!this.#asks) {
      this.#asks = this.#wait(ko);
      for (const ask of this.#asks) {
        this.stage.asks.push(ask);
        this.stage.emit('ask.opened', ask, 'main');
      }
    }
    const line = (title: string, hours: number, more: Partial<SheetLine>): SheetLine => ({
      title,
      at: at(hours),
      due: at(hours),
      chat: 'main',
      jobs: [],
      order: 'o1',
      outcome: 'run',
      rule: 'once',
      ...more,
    });
    const weather = ko ? '부산 날씨 알려줘' : 'Tell me the weather in Busan';
    return {
      ...nothing,
      since: at(26),
      until: at(0),
      fresh: !this.#looked,
      together: this.#asks.map((a) => a.id),
      failed: [
        line(ko ? '보고서.hwpx 읽어줘' : 'Read report.hwpx', 2, {
          code: 'no_folder',
          text: ko
            ? '열어 둔 폴더가 없어요. 허락 페이지에서 폴더를 열어 주세요.'
            : 'No folder is open. Open one on the permissions page.',
        }),
      ],
      missed: [
        line(weather, 25, { outcome: 'missed', passed: 2, rule: 'tell' }),
        line(ko ? '메모 목록 보여줘' : 'Show my notes', 20, { outcome: 'busy' }),
        line(weather, 1, { passed: 3 }),
      ],
      told: [
        line(ko ? '할 일 시간이에요: 병원 가기' : 'Time for your to-do: see the doctor', 4, {
          order: '',
          due: at(7),
        }),
      ],
      done: [
        line(weather, 1, {
          due: at(5),
          turn: 'm-1',
          text: ko ? '부산은 14℃, 흐려요.' : 'Busan: 14℃, cloudy.',
        }),
        line(ko ? '12 곱하기 3' : '12 times 3', 6, {
          order: '',
          due: '',
          text: ko ? '36이에요.' : 'It is 36.',
        }),
      ],
    };
  }
}
