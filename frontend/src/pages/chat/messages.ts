import { messages } from '$lib/i18n/index.svelte';

export const chatText = messages({
  ko: {
    placeholder: '무엇을 도와드릴까요?',
    placeholderAbout: '여기에 무엇을 물어볼까요?',
    placeholderPrompt: '덧붙일 말을 쓰거나 그대로 보내세요',
    asksAbout: (title: string) => `‘${title}’에서만 찾아요`,
    anywhere: '문서 고르지 않기',
    attachedHere: '이 대화에 첨부한 것',
    composer: '메시지',
    found: (favourites: number, prompts: number, resources: number) => {
      const list = [
        favourites && `단골 ${favourites}개`,
        prompts && `바깥 서버의 프롬프트 ${prompts}개`,
        resources && `바깥 서버의 자료 ${resources}개`,
      ].filter(Boolean);
      return list.length ? `${list.join(', ')}. 화살표로 고르고 Enter를 누르세요.` : '';
    },
    blankHint: 'Tab으로 다음 빈칸에 가요. 비워 두면 물어봐요.',
    send: '보내기',
    stop: '답 멈추기',
    removed: '메시지를 지웠어요.',
    undo: '되돌리기',
    editing: '고쳐서 다시 보내요. 이 말부터 아래는 앞선 답으로 남고, 화살표로 다시 볼 수 있어요.',
    forkOf: (title: string) => `${title} (갈래)`,
    forked: (title: string) =>
      `‘${title}’에서 갈라낸 새 대화예요. 하던 일은 먼저 대화에 그대로 있어요.`,
    goOnWords: '멈춘 데서부터 이어서 써 줘',
    stopEditing: '그만두기',
    builtinName: '내장 통역가',
    model: '모델',
    tooBig: '메모리가 모자라요',
    attach: '파일 첨부하기',
    attachTitle: '첨부할 파일',
    keptToast: (name: string) => `‘${name}’을 도서관에 뒀어요. 대화를 지워도 남아요.`,
    placeholderAttached: '첨부한 것에 무엇을 물어볼까요?',
    pasted: (ending: string) => `붙여넣은 그림.${ending}`,
    tooLargeFile: (name: string) =>
      `${name}: 너무 커서 붙여넣지 못해요. 파일을 끌어다 놓거나 도서관에 넣어 주세요.`,
    tooLong: (size: string) => `${size}자`,
    moreModels: '모델 페이지',
  },
  en: {
    placeholder: 'What can I do for you?',
    placeholderAbout: 'What do you want to know from it?',
    placeholderPrompt: 'Add words of your own, or send it as it is',
    asksAbout: (title: string) => `Only in “${title}”`,
    anywhere: 'Ask without a document',
    attachedHere: 'what is attached in this chat',
    composer: 'Message',
    found: (favourites: number, prompts: number, resources: number) => {
      const list = [
        favourites && `${favourites} ${favourites === 1 ? 'favourite' : 'favourites'}`,
        prompts && `${prompts} ${prompts === 1 ? 'prompt' : 'prompts'} of outside servers`,
        resources &&
          `${resources} ${resources === 1 ? 'resource' : 'resources'} of outside servers`,
      ].filter(Boolean);
      return list.length ? `${list.join(', ')}. Choose with the arrows and press Enter.` : '';
    },
    blankHint: 'Tab goes to the next blank. You are asked for anything left blank.',
    send: 'Send',
    stop: 'Stop the reply',
    removed: 'Message deleted.',
    undo: 'Undo',
    editing:
      'Edit and resend. Everything from here on is kept as an earlier version; the arrows bring it back.',
    forkOf: (title: string) => `${title} (branch)`,
    forked: (title: string) => `A new chat from “${title}”. Running jobs stay in that one.`,
    goOnWords: 'Go on from where you stopped',
    stopEditing: 'Cancel editing',
    builtinName: 'Built-in',
    model: 'Model',
    tooBig: 'Too big for the memory',
    attach: 'Attach files',
    attachTitle: 'Files to attach',
    keptToast: (name: string) =>
      `“${name}” is in the library now. It stays when the chat is deleted.`,
    placeholderAttached: 'What would you like to know about it?',
    pasted: (ending: string) => `Pasted picture.${ending}`,
    tooLargeFile: (name: string) =>
      `${name} is too large to be pasted. Drag the file here, or put it into the library.`,
    tooLong: (size: string) => `${size} characters`,
    moreModels: 'Models page',
  },
});
