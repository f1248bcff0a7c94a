import { messages } from '$lib/i18n/index.svelte';

export const text = messages({
  ko: {
    nothing: '오프라인: 이 컴퓨터에서 아무것도 나가지 않아요.',
    nothingBut: (names: string) =>
      `오프라인: 앱은 아무것도 내보내지 않아요. 바깥 공구 프로그램(${names})이 하는 일은 앱이 볼 수 없어요.`,
    sendsNothing: '오프라인: 앱은 밖으로 아무것도 내보내지 않아요.',
    phones: '다만 짝지은 휴대폰은 이 네트워크에서 질문과 일을 볼 수 있어요.',
    cutting: '오프라인: 나가던 것을 끊고 있어요.',
    may: '나갈 수 있어요. 나가는 것은 모두 아래에 남아요.',
  },
  en: {
    nothing: 'Offline: nothing leaves this computer.',
    nothingBut: (names: string) =>
      `Offline: the app sends nothing. What the programs of outside tools (${names}) do cannot be seen from here.`,
    sendsNothing: 'Offline: the app sends nothing out.',
    phones: 'Paired phones on this network still see questions and jobs.',
    cutting: 'Offline: stopping what was being sent.',
    may: 'Online. Whatever is sent is listed below.',
  },
});
