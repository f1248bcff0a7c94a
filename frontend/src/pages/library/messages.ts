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
    mine: '내 문서',
    standard: '표준계약서',
    standardText:
      '내 문서와 견주어 볼 계약서예요. ‘기본’이라고 적힌 것은 이 프로그램에 들어 있던 것으로, 법률 자문은 아니에요.',
    empty: '아직 문서가 없어요',
    emptyText: '문서를 넣고 대화에서 ‘제5조 내용이 뭐야?’처럼 물어보세요.',
    about: (pages: number, articles: number, day: string) =>
      `${pages > 1 ? `${pages}쪽 · ` : ''}조문 ${articles}개 · ${day}에 넣음`,
    read: (title: string) => `${title} 읽기`,
    askIt: '물어보기',
    askOf: (title: string) => `${title}, 이 문서에 물어보기`,
    askHere: '이 문서에 물어보기',
    remove: '도서관에서 빼기',
    removeOf: (title: string) => `${title}, 도서관에서 빼기`,
    removeTitle: '도서관에서 뺄까요?',
    removeText: (title: string) => `‘${title}’ 문서를 도서관에서 빼요. 원래 파일은 그대로 있어요.`,
    keep: '그대로 두기',
    imports: '넣는 중',
    progress: (done: number, total: number) => `${total}개 중 ${done}개`,
    cancel: '그만하기',
    endedOne: (file: string) => `${file} · 도서관에 넣었어요.`,
    ended: (added: number, duplicates: number, total: number) =>
      [
        ...(added ? [`${added}개를 넣었어요.`] : []),
        ...(duplicates
          ? [total === 1 ? '이미 도서관에 있는 문서예요.' : `${duplicates}개는 이미 있어요.`]
          : []),
        ...(added + duplicates ? [] : ['넣은 문서가 없어요.']),
      ].join(' '),
    canceled: (added: number, left: number) =>
      `그만뒀어요. ${added}개를 넣었고 ${left}개가 남았어요.`,
    resume: '이어서 넣기',
    putAway: '알림 접기',
    ask: '대화에서 물어보기',
    find: '제목이나 파일 이름으로 찾기',
    found: (n: number) => `${n}개 찾았어요`,
    noneHere: '여기에는 없어요.',
    more: (n: number, left: number) => `${n}개 더 보기 (${left}개 남음)`,
    bundled: '기본',
    mark: (kind: string): string => (kind === 'mine' ? '내 문서로 옮기기' : '표준계약서로 옮기기'),
    markOf: (kind: string, title: string) =>
      kind === 'mine' ? `${title}, 내 문서로 옮기기` : `${title}, 표준계약서로 옮기기`,
    removeBundled: (title: string) =>
      `‘${title}’ 문서를 도서관에서 빼요. 프로그램에 들어 있는 문서라 다음에 켜면 다시 들어와요.`,
    problems: (n: number) => `넣지 못한 파일 ${n}개`,
    back: '도서관으로',
    backToChat: '대화로',
    pageOf: (n: number, of: number) => `${n} / ${of}쪽`,
    article: (number: string, title: string, part: string) => {
      const [main = '', branch] = number.split('의');
      const name = !number
        ? ''
        : number.includes('.')
          ? number
          : `제${main}조${branch ? `의${branch}` : ''}`;
      return [part, name && title ? `${name}(${title})` : name || title].filter(Boolean).join(' ');
    },
    contents: '차례',
    findHere: '이 문서에서 찾기',
    hit: (n: number, of: number) => (of ? `${n} / ${of}` : '없어요'),
    next: '다음',
    previous: '이전',
    closeFind: '찾기 닫기',
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
    mine: 'Your documents',
    standard: 'Standard contracts',
    standardText:
      'To compare yours with. Those marked “included” come with this program; they are no legal advice.',
    empty: 'No documents yet',
    emptyText: 'Add one and ask in a chat, for example “what does article 5 say?”',
    about: (pages: number, articles: number, day: string) =>
      `${pages > 1 ? `${pages} pages · ` : ''}${articles} ${articles === 1 ? 'article' : 'articles'} · added ${day}`,
    read: (title: string) => `Read ${title}`,
    askIt: 'Ask',
    askOf: (title: string) => `Ask about ${title}`,
    askHere: 'Ask about this document',
    remove: 'Take out',
    removeOf: (title: string) => `Take out ${title}`,
    removeTitle: 'Take it out of the library?',
    removeText: (title: string) =>
      `“${title}” leaves the library. The file itself stays where it is.`,
    keep: 'Keep it',
    imports: 'Being added',
    progress: (done: number, total: number) => `${done} of ${total}`,
    cancel: 'Stop',
    endedOne: (file: string) => `${file} · in the library now.`,
    ended: (added: number, duplicates: number, total: number) =>
      [
        ...(added ? [`${added} added.`] : []),
        ...(duplicates
          ? [total === 1 ? 'It is in the library already.' : `${duplicates} were there already.`]
          : []),
        ...(added + duplicates ? [] : ['Nothing was added.']),
      ].join(' '),
    canceled: (added: number, left: number) => `Stopped. ${added} added, ${left} left out.`,
    resume: 'Go on',
    putAway: 'Put this note away',
    ask: 'Ask in the chat',
    find: 'Find by title or file name',
    found: (n: number) => `${n} found`,
    noneHere: 'There is none here.',
    more: (n: number, left: number) => `Show ${n} more (${left} left)`,
    bundled: 'included',
    mark: (kind: string): string => (kind === 'mine' ? 'Make it mine' : 'Make it a standard'),
    markOf: (kind: string, title: string) =>
      kind === 'mine' ? `Make it mine: ${title}` : `Make it a standard: ${title}`,
    removeBundled: (title: string) =>
      `“${title}” leaves the library. It comes with the program, so it is back at the next start.`,
    problems: (n: number) => `${n} ${n === 1 ? 'file was' : 'files were'} not taken`,
    back: 'Back to the library',
    backToChat: 'Back to the chat',
    pageOf: (n: number, of: number) => `p. ${n} of ${of}`,
    article: (number: string, title: string, part: string) => {
      const korean = /[가-힣]/.test(title + part) || number.includes('의');
      const [main = '', branch] = number.split('의');
      const named = korean ? `제${main}조${branch ? `의${branch}` : ''}` : `Article ${number}`;
      const name = !number ? '' : number.includes('.') ? number : named;
      return [part, name && title ? `${name}${korean ? '' : ' '}(${title})` : name || title]
        .filter(Boolean)
        .join(' ');
    },
    contents: 'Contents',
    findHere: 'Find in this document',
    hit: (n: number, of: number) => (of ? `${n} / ${of}` : 'Not found'),
    next: 'Next',
    previous: 'Previous',
    closeFind: 'Close the search',
    page: (n: number) => `p. ${n}`,
    deleted: 'deleted',
    unread: 'The document could not be opened',
  },
});
