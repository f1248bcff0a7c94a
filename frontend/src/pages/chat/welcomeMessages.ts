import { messages } from '$lib/i18n/index.svelte';

/** What a chat says in which nothing was said yet. */
export const welcomeText = messages({
  ko: {
    welcome: '무엇을 도와드릴까요?',
    updateAsk:
      '하루에 한 번 새 버전이 있는지 찾아볼까요? 버전 목록만 읽고, 다른 것은 아무것도 보내지 않아요.',
    updateYes: '찾아보기',
    updateNo: '찾지 않기',
    lead: '하고 싶은 일을 말하거나, 아래에서 골라 보세요.',
    firstRun: '시작하기',
    ready: '지금 바로 쓸 수 있어요',
    readyText:
      '내장 통역가가 모델도 인터넷도 없이 일해요. 위와 비슷하게 말하면 잘 알아듣고, 모르는 말은 모른다고 답해요.',
    better: '더 잘 알아듣게 하려면',
    useLocal: '모델로 바꾸기',
    useLocalTitle: '이 컴퓨터의 모델을 쓸 수 있어요',
    useLocalText: (model: string) =>
      `${model ? `${model} 모델이` : '모델이'} 준비되어 있어요. 바꾸면 훨씬 자유롭게 말해도 돼요.`,
    looking: '이 컴퓨터에 모델이 있는지 보고 있어요.',
    dismiss: '이 안내 닫기',
    builtin: '지금은 내장 통역가가 일해요',
    builtinText:
      '모델도 인터넷도 없이 미리 익힌 표현을 알아듣는 회화책이에요. 위와 비슷하게 말하면 잘 알아들어요. 모르는 말은 모른다고 답해요.',
    moreHelp: '더 많은 일과 방법 보기 (F1)',
    workDocument: '문서에 물어보기',
    workDocumentText:
      '파일을 고르거나 여기에 끌어다 놓으세요. 답에 근거가 되는 대목이 함께 나와요.',
    workAsk: '다 읽었어요. 무엇이 궁금하세요?',
    workAskWhat: '무슨 내용이야?',
    workAskDates: '기간이나 날짜가 어떻게 돼?',
    workAskMoney: '금액이 얼마야?',
    workTidy: '폴더 정리하기',
    workTidyText: '어떻게 정리할지 먼저 보여 드려요.',
    workTidyChoose: '정리할 폴더',
    workTidySay: (name: string) => `‘${name}’ 폴더를 종류별로 정리해줘`,
    workRemind: '알림 맡기기',
    workRemindSay: '5분 뒤에 알려줘',
    workMoney: '연습 통장에서 돈 보내기',
    workMoneySay: '엄마한테 만원 보내줘',
    workPlay: '노래 듣기',
    workPlaySay: '노래 한 곡 틀어줘',
  },
  en: {
    welcome: 'What can I do for you?',
    updateAsk:
      'Should it check for new versions once a day? It reads the list of versions and sends nothing else.',
    updateYes: 'Check',
    updateNo: 'Do not check',
    lead: 'Say what you need, or start with one of these.',
    firstRun: 'Getting started',
    ready: 'It works right away',
    readyText:
      'The built-in interpreter needs no model and no internet. It understands requests like those above, and says so when it does not.',
    better: 'To be understood better',
    useLocal: 'Use the model',
    useLocalTitle: 'A model on this computer is ready',
    useLocalText: (model: string) =>
      `${model || 'A model'} is ready. With it you can speak far more freely.`,
    looking: 'Checking whether this computer has a model.',
    dismiss: 'Close this note',
    builtin: 'The built-in interpreter is working',
    builtinText:
      'It is a phrasebook: no model, no internet. It understands requests much like the ones above, and says so when it does not understand.',
    moreHelp: 'See what else it can do, and how (F1)',
    workDocument: 'Ask about a document',
    workDocumentText:
      'Choose a file or drop it here. The answer shows the passages it is based on.',
    workAsk: 'It has been read. What would you like to know?',
    workAskWhat: 'What does it say?',
    workAskDates: 'Which dates or periods are in it?',
    workAskMoney: 'Which amounts are in it?',
    workTidy: 'Tidy a folder',
    workTidyText: 'You see what would go where first.',
    workTidyChoose: 'Folder to tidy',
    workTidySay: (name: string) => `Organize the “${name}” folder by kind`,
    workRemind: 'Set a reminder',
    workRemindSay: 'Remind me in 5 minutes',
    workMoney: 'Send practice money',
    workMoneySay: 'Send 10,000 won to mom',
    workPlay: 'Listen to a song',
    workPlaySay: 'Play a song',
  },
});
