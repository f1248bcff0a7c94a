import type { Project } from '$lib/api/types';
import { messages } from '$lib/i18n/index.svelte';

/** A project that carries nothing yet; the chat is moved into it once it is made. */
export const blankProject = (chat?: string): Project & { chat?: string } => ({
  id: '',
  title: '',
  instructions: '',
  model: '',
  folders: [],
  shelves: [],
  ...(chat ? { chat } : {}),
});

export const projectText = messages({
  ko: {
    title: '프로젝트',
    make: '새 프로젝트',
    about:
      '여기에 정한 것은 이 프로젝트의 모든 대화에서 지켜져요. 대화를 모아 두기만 하려면 폴더로 충분해요.',
    name: '이름',
    instructions: '지침',
    instructionsHelp: '모델이 답할 때마다 읽어요. 예: 존댓말로 짧게, 표는 쓰지 말 것.',
    model: '모델',
    modelHelp: '고르지 않으면 지금 답하는 모델이 답해요.',
    anyModel: '지금 답하는 모델',
    folders: '열린 폴더',
    foldersHelp: '고르면 이 프로젝트의 대화는 이 폴더만 봐요. 안 고르면 모두 봐요.',
    noFolders: '열린 폴더가 없어요. 허락 페이지에서 열 수 있어요.',
    shelves: '서가',
    shelvesHelp: '고르면 이 프로젝트의 질문은 이 서가에서만 답해요. 안 고르면 도서관 전체예요.',
    noShelves: '서가가 없어요. 도서관에서 폴더를 서가로 만들 수 있어요.',
    facts: '이 프로젝트에서만 아는 것',
    factsHelp: '이 프로젝트의 대화에만 알려 줘요.',
    addFact: '더하기',
    forget: (fact: string) => `잊기: ${fact}`,
    save: '저장',
    cancel: '그만두기',
    remove: '프로젝트 없애기',
    removeTitle: '프로젝트를 없앨까요?',
    removeText: (title: string) =>
      `‘${title}’의 지침과 이 프로젝트에서만 아는 것이 없어져요. 대화는 목록에 남아요.`,
    chat: '대화 설정',
    chatAbout: '이 대화에서만 지켜져요. 프로젝트의 지침이 있으면 그 뒤에 이어서 읽어요.',
    project: '폴더나 프로젝트',
  },
  en: {
    title: 'Project',
    make: 'New project',
    about:
      'What you set here holds in every chat of the project. To keep chats together only, a folder will do.',
    name: 'Name',
    instructions: 'Instructions',
    instructionsHelp: 'Read by the model with every answer. For example: keep it short, no tables.',
    model: 'Model',
    modelHelp: 'Without a choice, the model in use answers.',
    anyModel: 'The model in use',
    folders: 'Opened folders',
    foldersHelp: 'With a choice, chats of this project see these folders alone. Without one, all.',
    noFolders: 'No folder is open. Open one on the permissions page.',
    shelves: 'Shelves',
    shelvesHelp:
      'With a choice, questions are answered from these shelves alone. Without one, from the whole library.',
    noShelves: 'There is no shelf. Make one of a folder in the library.',
    facts: 'Known in this project only',
    factsHelp: 'Told to the chats of this project and to no others.',
    addFact: 'Add',
    forget: (fact: string) => `Forget: ${fact}`,
    save: 'Save',
    cancel: 'Cancel',
    remove: 'Remove project',
    removeTitle: 'Remove this project?',
    removeText: (title: string) =>
      `The instructions of “${title}” and what only it knows will go. Its chats stay in the list.`,
    chat: 'Chat settings',
    chatAbout:
      'These hold in this chat alone. They are read after the instructions of its project.',
    project: 'Folder or project',
  },
});
