import type { Stage } from './stage';
import { understand } from './wishes';

function say(stage: Stage, lang: string, text: string): void {
  stage.message('main', 'customer', text);
  understand(stage, 'main', text, lang);
}

type Scene = (stage: Stage, lang: string) => void;

/** Plays the requests one after another. */
const play =
  (...texts: string[]): Scene =>
  (stage, lang) =>
    texts.forEach((text, i) => setTimeout(() => say(stage, lang, text), i * 700));

function older(stage: Stage): void {
  const days = ['장보기 목록 정리', '부산 출장 준비', '주말 영화 고르기', 'Timer for the oven'];
  days.forEach((title, i) => {
    const updated = new Date(Date.now() - (i * 1.4 + 0.2) * 86_400_000).toISOString();
    stage.chats.set(`old-${i}`, { title, updated, messages: [] });
  });
}

export const scenes: Record<string, Scene> = {
  /** Scenarios A and B, an approval, a failure, a finished job. */
  busy: (stage, lang) => {
    older(stage);
    play(
      '목적지 A로 네비 켜줘',
      '노래 불러줘',
      '부산 날씨 알려줘',
      '영화도 틀어줘',
      '3만5천 나누기 7은?',
      '서울 날씨 실패',
      '먼저 시계를 보고 타이머 맞춰줘',
    )(stage, lang);
  },
  /** Scenario C. */
  songs: play('노래 불러줘', '노래 불러줘', '노래 하나 더!'),
  talk: (stage, lang) => {
    older(stage);
    play('서울과 부산 기온을 표로 정리해줘')(stage, lang);
  },
  /** A thousand jobs. */
  crowd: (stage) => {
    for (let i = 0; i < 1000; i++) {
      const title = `정리 ${i + 1}`;
      stage.order('main', { title, reply: '', todos: [{ title, tool: 'clock', seconds: 1 }] });
    }
  },
};
