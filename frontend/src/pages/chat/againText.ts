import { messages } from '$lib/i18n/index.svelte';

export const againText = messages({
  ko: {
    worldEdit: '이 말로 시작한 일',
    nobodyElse: '지금 답할 수 있는 모델이 없어요',
    worldAnew: '이 말로 시작한 일이에요. 어떻게 할지 고르고 보내면 다시 답해요.',
    worldTaking: '먼저 되돌리고 있어요. 물음이 있으면 답해 주세요. 쓴 말은 그다음에 보내요.',
    stillTaking: '앞서 고친 말 때문에 아직 되돌리고 있어요. 그 물음에 답한 뒤에 다시 보내 주세요.',
    notTakenBack: '되돌리지 않아서 보내지 않았어요. 쓴 말은 그대로 있어요.',
  },
  en: {
    worldEdit: 'Started by this message',
    nobodyElse: 'No model can answer now',
    worldAnew: 'Started by this message. Choose what becomes of it and send: it is answered again.',
    worldTaking: 'Taking back first: answer if you are asked. Then this is sent.',
    stillTaking: 'Still taking back for an earlier edit. Answer its question, then send again.',
    notTakenBack: 'It was not taken back, so nothing was sent. Your words are still here.',
  },
});
