import { messages } from '$lib/i18n/index.svelte';

export const dutyText = messages({
  ko: {
    answers: (name: string) => `지금 답하는 통역가: ${name}`,
    modelHere: '이 대화에서 답할 모델',
    modelElsewhere: '다른 대화와 같은 모델',
    modelEverywhere: '따로 고르지 않은 모든 대화에서 답할 모델',
  },
  en: {
    answers: (name: string) => `Answering now: ${name}`,
    modelHere: 'The model for this chat',
    modelElsewhere: 'As in other chats',
    modelEverywhere: 'The model for every chat without one of its own',
  },
});
