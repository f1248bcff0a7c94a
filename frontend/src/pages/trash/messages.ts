import { messages } from '$lib/i18n/index.svelte';

export const text = messages({
  ko: {
    title: '지운 대화',
    intro:
      '지운 대화는 30일 동안 여기에 있어요. 되돌리면 그때까지 한 말이 그대로 돌아오고, 멈춘 일은 멈춘 채로 있어요.',
    none: '지운 대화가 없어요',
    noneText: '대화를 지우면 30일 동안 여기에서 되돌릴 수 있어요.',
    deletedAt: (day: string) => `${day}에 지웠어요`,
    daysLeft: (n: number) => (n > 0 ? `${n}일 남았어요` : '오늘 없어져요'),
    restore: '되돌리기',
    restoreOf: (title: string) => `되돌리기: ${title}`,
    drop: '완전히 지우기',
    dropOf: (title: string) => `완전히 지우기: ${title}`,
    dropTitle: '완전히 지울까요?',
    dropText: (title: string) =>
      `‘${title}’ 대화의 말과 끝난 일의 기록이 바로 없어져요. 다시는 되돌릴 수 없어요.`,
    keep: '그대로 두기',
    dropped: (title: string) => `‘${title}’ 대화를 완전히 지웠어요.`,
  },
  en: {
    title: 'Deleted chats',
    intro:
      'Deleted chats stay here for 30 days. A chat you restore has everything that was said; jobs that were stopped stay stopped.',
    none: 'No deleted chats',
    noneText: 'A chat that you delete can be restored from here for 30 days.',
    deletedAt: (day: string) => `Deleted ${day}`,
    daysLeft: (n: number) => (n > 0 ? `${n} ${n === 1 ? 'day' : 'days'} left` : 'goes today'),
    restore: 'Restore',
    restoreOf: (title: string) => `Restore: ${title}`,
    drop: 'Delete for good',
    dropOf: (title: string) => `Delete for good: ${title}`,
    dropTitle: 'Delete for good?',
    dropText: (title: string) =>
      `The messages of “${title}” and the records of its finished jobs go at once. This cannot be undone.`,
    keep: 'Keep it',
    dropped: (title: string) => `“${title}” is gone for good.`,
  },
});
