import type { event } from '$lib/api/types';
import { messages } from '$lib/i18n/index.svelte';

/** How much of the passages have a vector, in percent; 100 only when all have. */
const share = (v: event.LibraryVectors) => (v.total ? Math.floor((100 * v.done) / v.total) : 0);

export const text = messages({
  ko: {
    title: '도서관',
    intro:
      '계약서나 규정집을 넣어 두면 대화에서 물어볼 수 있어요. 문서는 이 컴퓨터를 떠나지 않아요.',
    vectors: (v: event.LibraryVectors) =>
      ({
        off: v.problem ?? '낱말로만 찾아요.',
        embedding: `낱말과 뜻으로 찾아요. 뜻을 읽는 중: ${share(v)}%`,
        waiting: `뜻은 ${share(v)}%까지 읽었어요. 곧 다시 해 봐요. ${v.problem ?? ''}`,
        ready: '낱말과 뜻으로 찾아요.',
      })[v.state] ?? '',
    add: '파일 넣기',
    addFolder: '폴더 넣기',
    drop: '문서를 이 창에 끌어다 놓아도 돼요. PDF, DOCX, HWPX, Markdown, HTML, 텍스트를 읽어요.',
    chooseFiles: '도서관에 넣을 문서',
    chooseFolder: '도서관에 넣을 폴더',
    failed: '도서관을 열지 못했어요',
    again: '다시 시도',
    mine: '내 문서',
    standard: '표준계약서',
    standardText: '이 프로그램에 들어 있는 견주어 보기용 계약서예요. 법률 자문은 아니에요.',
    empty: '아직 문서가 없어요',
    emptyText: '문서를 넣고 대화에서 ‘제5조 내용이 뭐야?’처럼 물어보세요.',
    about: (pages: number, articles: number, day: string) =>
      `${pages}쪽 · 조문 ${articles}개 · ${day}에 넣음`,
    read: (title: string) => `${title} 읽기`,
    remove: '빼기',
    removeOf: (title: string) => `${title} 빼기`,
    removeTitle: '도서관에서 뺄까요?',
    removeText: (title: string) => `‘${title}’ 문서를 도서관에서 빼요. 원래 파일은 그대로 있어요.`,
    keep: '그대로 두기',
    imports: '넣는 중',
    progress: (done: number, total: number) => `${total}개 중 ${done}개`,
    cancel: '그만하기',
    ended: (added: number, duplicates: number) =>
      `${added}개를 넣었어요.${duplicates ? ` ${duplicates}개는 이미 있어요.` : ''}`,
    canceled: (added: number) => `그만뒀어요. ${added}개를 넣었어요.`,
    problems: (n: number) => `넣지 못한 파일 ${n}개`,
    back: '도서관으로',
    contents: '차례',
    page: (n: number) => `${n}쪽`,
    deleted: '삭제됨',
    unread: '문서를 열지 못했어요',
  },
  en: {
    title: 'Library',
    intro:
      'Put contracts or rules in here and ask about them in a chat. They never leave this computer.',
    vectors: (v: event.LibraryVectors) =>
      ({
        off: v.problem ?? 'Searched by words alone.',
        embedding: `Searched by words and meaning. Reading the meaning: ${share(v)} %`,
        waiting: `The meaning is read to ${share(v)} %. It is tried again soon. ${v.problem ?? ''}`,
        ready: 'Searched by words and meaning.',
      })[v.state] ?? '',
    add: 'Add files',
    addFolder: 'Add a folder',
    drop: 'You can also drop documents onto this window: PDF, DOCX, HWPX, Markdown, HTML and text.',
    chooseFiles: 'Documents for the library',
    chooseFolder: 'A folder for the library',
    failed: 'The library could not be opened',
    again: 'Try again',
    mine: 'Your documents',
    standard: 'Standard contracts',
    standardText: 'They come with this program, to compare yours with. They are no legal advice.',
    empty: 'No documents yet',
    emptyText: 'Add one and ask in a chat, for example “what does article 5 say?”',
    about: (pages: number, articles: number, day: string) =>
      `${pages} ${pages === 1 ? 'page' : 'pages'} · ${articles} ${articles === 1 ? 'article' : 'articles'} · added ${day}`,
    read: (title: string) => `Read ${title}`,
    remove: 'Take out',
    removeOf: (title: string) => `Take out ${title}`,
    removeTitle: 'Take it out of the library?',
    removeText: (title: string) =>
      `“${title}” leaves the library. The file itself stays where it is.`,
    keep: 'Keep it',
    imports: 'Being added',
    progress: (done: number, total: number) => `${done} of ${total}`,
    cancel: 'Stop',
    ended: (added: number, duplicates: number) =>
      `${added} added.${duplicates ? ` ${duplicates} were there already.` : ''}`,
    canceled: (added: number) => `Stopped. ${added} added.`,
    problems: (n: number) => `${n} ${n === 1 ? 'file was' : 'files were'} not taken`,
    back: 'Back to the library',
    contents: 'Contents',
    page: (n: number) => `p. ${n}`,
    deleted: 'deleted',
    unread: 'The document could not be opened',
  },
});
