import { messages } from '$lib/i18n/index.svelte';

/** What the lines at the top of the window say. */
export const noticeText = messages({
  ko: {
    recovered: (n: number) => `지난번에 하던 일 ${n}개를 이어서 해요.`,
    recoveredAsks: (n: number) => `답을 기다리는 질문이 ${n}개 있어요.`,
    recoveredDoubt: (n: number) => `끝났는지 확실하지 않은 일이 ${n}개 있어요. 확인해 주세요.`,
    recoveredTurns: (n: number) => `답하다 멈춘 말 ${n}개에 다시 답하고 있어요.`,
    recoveredTransfers: (n: number) => `그사이 예약한 날이 된 이체가 ${n}건 있어요.`,
    recoveredUnreadable: (n: number) =>
      `읽을 수 없는 기록 ${n}개는 원본 그대로 따로 치워 두었어요. 그 일은 실패로 표시했어요.`,
    recoveredNext: '기다리는 일 보기',
    crashed: (when: string) =>
      `${when}에 프로그램이 갑자기 끝났어요. 하던 일은 잃지 않았고, 기록은 이 컴퓨터에만 있어요.`,
    crashedLook: '기록 보기',
    away: (name: string, detail: string) =>
      detail ? `${name}: ${detail}` : `${name}에 연결할 수 없게 됐어요.`,
    standIn: '그동안 내장 통역가가 일해요.',
    back: (name: string) => `${name} 통역가가 돌아왔어요.`,
    toModels: '모델 페이지 열기',
    dismissNotice: '이 알림 닫기',
    paused: '모두 멈춰 있어요. 일꾼이 쉬고, 하던 일은 그대로 기다려요.',
    resume: '계속하기',
  },
  en: {
    recovered: (n: number) =>
      `${n} unfinished ${n === 1 ? 'job goes' : 'jobs go'} on from where they stopped.`,
    recoveredAsks: (n: number) => `${n} ${n === 1 ? 'question waits' : 'questions wait'} for you.`,
    recoveredDoubt: (n: number) =>
      `It is not certain whether ${n} ${n === 1 ? 'step' : 'steps'} happened. Please check.`,
    recoveredTurns: (n: number) =>
      `${n} ${n === 1 ? 'message that was' : 'messages that were'} being answered ${n === 1 ? 'is' : 'are'} answered now.`,
    recoveredTransfers: (n: number) =>
      `${n} scheduled ${n === 1 ? 'transfer' : 'transfers'} came due while the program was closed.`,
    recoveredUnreadable: (n: number) =>
      n === 1
        ? '1 record could not be read. It was set aside unchanged, and its job is shown as failed.'
        : `${n} records could not be read. They were set aside unchanged, and their jobs are shown as failed.`,
    recoveredNext: 'Show what waits',
    crashed: (when: string) =>
      `The program crashed at ${when}. Nothing was lost, and the report stays on this computer.`,
    crashedLook: 'Show the report',
    away: (name: string, detail: string) =>
      detail ? `${name}: ${detail}` : `${name} can no longer be reached.`,
    standIn: 'The built-in interpreter fills in for now.',
    back: (name: string) => `${name} is back.`,
    toModels: 'Open the models page',
    dismissNotice: 'Close this notice',
    paused: 'Everything is paused. The workers rest, and what was under way waits.',
    resume: 'Resume',
  },
});
