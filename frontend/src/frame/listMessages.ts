import { messages } from '$lib/i18n/index.svelte';

/** What the list of the conversations says. */
export const listText = messages({
  ko: {
    chats: '대화 목록',
    today: '오늘',
    yesterday: '어제',
    week: '지난 7일',
    older: '그 전',
    more: '더 보기',
    rename: '이름 바꾸기',
    pinned: '고정',
    pin: '위에 고정하기',
    unpin: '고정 풀기',
    remove: '지우기',
    removeTitle: '대화를 지울까요?',
    removeText: (title: string) =>
      `‘${title}’ 대화와 그 안의 메시지가 지워져요. 메시지는 30일 동안 되돌릴 수 있어요.`,
    removeWork: (n: number) => `하고 있는 일 ${n}개는 먼저 멈춰요. 되돌려도 멈춘 채로 있어요.`,
    removed: (title: string, n: number) =>
      n ? `하던 일 ${n}개를 멈추고 ‘${title}’ 대화를 지웠어요.` : `‘${title}’ 대화를 지웠어요.`,
    allDeleted: '모두 보기',
    archived: (n: number) => `보관한 대화 (${n})`,
    archive: '보관하기',
    unarchive: '보관에서 꺼내기',
    toProject: '폴더나 프로젝트로 옮기기',
    takeOut: (title: string) => `‘${title}’에서 빼기`,
    newProject: '새 프로젝트…',
    newFolder: '새 폴더',
    newFolderName: '새 폴더',
    folderName: '폴더 이름',
    projectName: '프로젝트 이름',
    makeProject: '프로젝트로 만들기…',
    removeFolder: '폴더 없애기',
    folderRemoved: (title: string, n: number) =>
      n
        ? `‘${title}’ 폴더를 없앴어요. 대화 ${n}개는 목록에 있어요.`
        : `‘${title}’ 폴더를 없앴어요.`,
    chatSettings: '대화 설정…',
    projectSettings: '프로젝트 설정',
    newChatIn: (title: string) => `‘${title}’에 새 대화`,
    chatsIn: (n: number) => `, 대화 ${n}개`,
    undo: '되돌리기',
    deletedChats: (n: number) => `지운 대화 (${n})`,
    deletedText: '30일 동안 되돌릴 수 있어요.',
    restore: '되돌리기',
    restoreOf: (title: string) => `되돌리기: ${title}`,
    unread: '읽지 않음',
    emptyProject: '대화를 여기로 끌어 오거나 +로 새로 시작하세요.',
    chatName: '대화 이름',
  },
  en: {
    chats: 'Conversations',
    today: 'Today',
    yesterday: 'Yesterday',
    week: 'Last 7 days',
    older: 'Older',
    more: 'More',
    rename: 'Rename',
    pinned: 'Pinned',
    pin: 'Pin',
    unpin: 'Unpin',
    remove: 'Delete',
    removeTitle: 'Delete this chat?',
    removeText: (title: string) =>
      `“${title}” and its messages will be deleted. The messages can be restored for 30 days.`,
    removeWork: (n: number) =>
      n === 1
        ? 'One job that is running is stopped first. Restoring does not start it again.'
        : `${n} jobs that are running are stopped first. Restoring does not start them again.`,
    removed: (title: string, n: number) =>
      n
        ? `Stopped ${n} ${n === 1 ? 'job' : 'jobs'} and deleted “${title}”.`
        : `“${title}” was deleted.`,
    allDeleted: 'Show all',
    archived: (n: number) => `Archived (${n})`,
    archive: 'Archive',
    unarchive: 'Take out of the archive',
    toProject: 'Move to a folder or project',
    takeOut: (title: string) => `Take out of “${title}”`,
    newProject: 'New project…',
    newFolder: 'New folder',
    newFolderName: 'New folder',
    folderName: 'Name of the folder',
    projectName: 'Name of the project',
    makeProject: 'Make it a project…',
    removeFolder: 'Remove folder',
    folderRemoved: (title: string, n: number) =>
      n
        ? `The folder “${title}” is gone. Its ${n === 1 ? 'chat is' : `${n} chats are`} in the list.`
        : `The folder “${title}” is gone.`,
    chatSettings: 'Chat settings…',
    projectSettings: 'Project settings',
    newChatIn: (title: string) => `New chat in “${title}”`,
    chatsIn: (n: number) => `, ${n} ${n === 1 ? 'chat' : 'chats'}`,
    undo: 'Undo',
    deletedChats: (n: number) => `Deleted (${n})`,
    deletedText: 'They can be restored for 30 days.',
    restore: 'Restore',
    restoreOf: (title: string) => `Restore: ${title}`,
    unread: 'Unread',
    emptyProject: 'Drag a chat here, or start one with +.',
    chatName: 'Name of the chat',
  },
});
