import type { Stage, Wish } from './stage';

const wish = (title: string, reply: string, ...todos: Wish['todos']): Wish => ({
  title,
  reply,
  todos,
});

const sample = `네, 이렇게 정리했어요.

| 도시 | 기온 | 하늘 |
|---|---:|---|
| 서울 | 12℃ | 맑음 |
| 부산 | 16℃ | 구름 조금 |

식으로 쓰면 $\\bar{t} = \\frac{12 + 16}{2} = 14$ 이고, 코드로는 이렇게 해요.

\`\`\`python
temperatures = [12, 16]
print(sum(temperatures) / len(temperatures))  # 14.0
\`\`\`

자세한 내용은 [기상청](https://www.weather.go.kr)에서 볼 수 있어요. ![](https://example.com/track.png)`;

const thoughts = `손님은 두 도시의 기온을 표로 보고 싶어 한다. 서울은 12도, 부산은 16도였다. 평균을 식으로 보여 주면 좋겠다.

표에는 하늘 상태도 넣고, 코드는 짧게 쓰자. 출처는 기상청으로 적는다.`;

/** Answers a message the way the shop would, by a few words in it. */
export function understand(stage: Stage, chat: string, text: string, lang: string): void {
  const ko = lang === 'ko';
  const wishes: Wish[] = [];
  const title = (korean: string, english: string) => (ko ? korean : english);
  if (/네비|내비|길 안내|navig|drive/i.test(text)) {
    const t = title('부산역까지 길 안내', 'Guide to Busan Station');
    wishes.push(wish(t, '', { title: t, tool: 'nav', seconds: 600 }));
  }
  if (/영화|movie/i.test(text)) {
    const t = title('영화 틀기', 'Play a movie');
    wishes.push(wish(t, '', { title: t, tool: 'movie', seconds: 600 }));
  }
  if (/노래|song|music/i.test(text)) {
    const t = title('노래 한 곡 들려주기', 'Play a song');
    wishes.push(wish(t, '', { title: t, tool: 'song', seconds: 400 }));
  }
  if (/나누기|계산|÷|calc|divided/i.test(text)) {
    const t = title('3만5천 나누기 7 계산하기', 'Work out 35,000 / 7');
    wishes.push(wish(t, '', { title: t, tool: 'calculator', seconds: 1, confirm: true }));
  }
  if (/날씨|weather/i.test(text)) {
    const t = title('부산 날씨 알아보기', 'Look up the weather in Busan');
    wishes.push(
      wish(t, '', { title: t, tool: 'weather', seconds: 2, fail: /실패|fail/.test(text) }),
    );
  }
  if (/먼저|first/i.test(text)) {
    const todos = [
      { title: title('지금 몇 시인지 보기', 'Look at the clock'), tool: 'clock', seconds: 2 },
      { title: title('5분 타이머 맞추기', 'Set a 5-minute timer'), tool: 'timer', seconds: 300 },
      { title: title('노래 한 곡 들려주기', 'Play a song'), tool: 'song', seconds: 60 },
    ];
    wishes.splice(
      0,
      wishes.length,
      wish(title('시계 보고 타이머 맞추기', 'Clock, then timer'), '', ...todos),
    );
  }
  if (!wishes.length) {
    const label = ko ? '요청을 읽고 있어요' : 'Reading the request';
    const agent = 'planner';
    stage.emit('agent.start', { agent, label }, chat);
    if (/차례|queue/.test(text)) {
      for (const place of [3, 2, 1]) {
        setTimeout(
          () => stage.emit('agent.queued', { agent, label, place }, chat),
          (4 - place) * 900,
        );
      }
      setTimeout(() => stage.stream(chat, sample, thoughts), 4500);
    } else setTimeout(() => stage.stream(chat, sample, thoughts), 600);
    return;
  }
  const reply = ko
    ? `네, ${wishes.map((w) => w.title).join(', ')}. 바로 시작할게요.`
    : `Sure: ${wishes.map((w) => w.title).join(', ')}. Starting now.`;
  const { id } = stage.message(chat, 'shop', reply);
  for (const w of wishes) stage.order(chat, w);
  stage.turnDone(chat, id);
}
