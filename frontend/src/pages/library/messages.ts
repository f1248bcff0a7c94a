import type { DocumentView, LibraryShelf, event, extract, shelf, shop } from '$lib/api/types';
import { messages } from '$lib/i18n/index.svelte';

import { place } from './placeMessages';

/** How much of the passages have a vector, in percent; 100 only when all have. */
const share = (v: event.LibraryVectors) => (v.total ? Math.floor((100 * v.done) / v.total) : 0);

/** The kinds of files that can be read, family by family: Documents (PDF, DOCX), tables (XLSX). */
function families(
  formats: readonly shop.FormatView[],
  names: Record<extract.Family, string>,
  space: '' | ' ',
): string {
  const of = new Map<extract.Family, string[]>();
  for (const { key, family } of formats)
    of.set(family, [...(of.get(family) ?? []), key.toUpperCase()]);
  const list = [...of]
    .map(([family, keys]) => `${names[family]}${space}(${keys.join(', ')})`)
    .join(', ');
  return list && `${list}.`;
}

/** How much there is of a document. */
function many(unit: extract.Unit, n: number): { ko: string; en: string } {
  switch (unit) {
    case 'sheet':
      return { ko: `시트 ${n}개`, en: `${n} sheets` };
    case 'slide':
      return { ko: `슬라이드 ${n}장`, en: `${n} slides` };
    case 'chapter':
      return { ko: `${n}개 장`, en: `${n} chapters` };
    default:
      return { ko: `${n}쪽`, en: `${n} pages` };
  }
}

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
    addShelf: '폴더를 서가로',
    addShelfText:
      '폴더를 서가로 두면 그 폴더를 따라가요. 새 파일과 바뀐 파일은 다시 읽고, 없어진 파일은 물어봐요. 폴더에는 아무것도 쓰지 않아요.',
    chooseShelf: '서가로 둘 폴더',
    shelfOf: (title: string) => `${title} 서가`,
    shelfMark: '서가',
    stoppedMark: '멈춤',
    going: '치우는 중',
    askShelf: '이 서가에 물어보기',
    askShelfOf: (title: string) => `${title}, 이 서가에 물어보기`,
    rescan: '다시 살펴보기',
    rescanOf: (title: string) => `${title}, 다시 살펴보기`,
    looking: '폴더를 살펴보는 중이에요',
    readingFile: (file: string) => `읽는 중: ${file}`,
    shelfProgress: (done: number, all: number) =>
      `${all.toLocaleString()}개 중 ${done.toLocaleString()}개`,
    shelfFacts: (s: LibraryShelf) =>
      [
        `문서 ${s.read.toLocaleString()}개`,
        ...(s.waiting ? [`기다림 ${s.waiting.toLocaleString()}개`] : []),
        ...(s.refused ? [`읽지 못함 ${s.refused.toLocaleString()}개`] : []),
        ...(s.gone ? [`없어짐 ${s.gone.toLocaleString()}개`] : []),
        ...(s.kept ? [`폴더에 없지만 둔 것 ${s.kept.toLocaleString()}개`] : []),
        ...(s.leftOut ? [`뺀 것 ${s.leftOut.toLocaleString()}개`] : []),
        ...(s.other ? [`읽지 않는 형식 ${s.other.toLocaleString()}개`] : []),
      ].join(' · '),
    lookedAt: (when: string) => `${when}에 살펴봄`,
    goneSome: (n: number) =>
      n === 1
        ? '파일 하나가 폴더에서 없어졌어요. 그 문서를 도서관에서도 뺄까요?'
        : `파일 ${n.toLocaleString()}개가 폴더에서 없어졌어요. 그 문서들을 도서관에서도 뺄까요?`,
    goneAll: (n: number) =>
      `폴더가 텅 비었어요. 디스크가 빠졌거나 폴더를 옮겼을 수 있어서 문서 ${n.toLocaleString()}개를 그대로 두고 있어요. 파일이 돌아오면 다시 읽지 않고 이어져요.`,
    dropGone: '도서관에서 빼기',
    keepGone: '문서는 두기',
    problemOf: (why: string) =>
      `${why} 서가의 문서는 그대로 있고, 폴더가 돌아오면 이어서 따라가요.`,
    files: (n: number) => `파일 ${n.toLocaleString()}개 보기`,
    filesOf: (title: string) => `${title} 서가의 파일`,
    fileState: (state: shelf.FileState | ''): string =>
      ({
        '': '모두',
        waiting: '기다림',
        read: '읽음',
        refused: '읽지 못함',
        gone: '없어짐',
        kept: '두기로 함',
        left_out: '뺌',
      })[state],
    findFile: '파일 이름으로 찾기',
    noFiles: '이런 파일은 없어요.',
    reread: '다시 읽기',
    rereadOf: (file: string) => `${file} 다시 읽기`,
    dropOf: (file: string) => `${file}, 도서관에서 빼기`,
    keepOf: (file: string) => `${file}, 문서는 두기`,
    shelfMore: '서가 설정',
    shelfName: '이름',
    rename: '바꾸기',
    goneRule: '없어진 파일은',
    rule: (rule: shelf.Rule): string =>
      ({ ask: '물어보기', drop: '바로 빼기', keep: '문서 두기' })[rule],
    ruleText: (rule: shelf.Rule): string =>
      ({
        ask: '없어진 파일이 있으면 여기에서 물어봐요.',
        drop: '바로 도서관에서 빼요. 한꺼번에 많이 없어지면 디스크가 빠졌을 수 있으니 물어봐요.',
        keep: '폴더에서 없어져도 문서는 도서관에 남아요.',
      })[rule],
    stopShelf: '따라가지 않기',
    followShelf: '다시 따라가기',
    removeShelf: '서가 치우기',
    removeShelfOf: (title: string) => `${title} 서가 치우기`,
    removeShelfTitle: '서가를 치울까요?',
    removeShelfText: (s: LibraryShelf) =>
      `‘${s.title}’ 서가를 치우고 더는 폴더를 따라가지 않아요. 폴더의 파일은 그대로 있어요. 문서 ${s.read.toLocaleString()}개를 내 문서로 남겨 둘지, 함께 뺄지 골라 주세요.`,
    removeWith: '문서도 빼기',
    removeWithout: '문서는 남기기',
    add: '파일 넣기',
    addFolder: '폴더 넣기',
    drop: (formats: readonly shop.FormatView[]) =>
      `문서를 이 창에 끌어다 놓아도 돼요. ${families(
        formats,
        {
          document: '문서',
          table: '표',
          slides: '발표 자료',
          book: '전자책',
          mail: '메일',
          text: '글',
          picture: '사진',
        },
        '',
      )}`,
    chooseFiles: '도서관에 넣을 문서',
    chooseFolder: '도서관에 넣을 폴더',
    failed: '도서관을 열지 못했어요',
    mine: '내 문서',
    standard: '표준계약서',
    standardText:
      '내 문서와 견주어 볼 계약서예요. ‘기본’이라고 적힌 것은 이 프로그램에 들어 있던 것으로, 법률 자문은 아니에요.',
    empty: '아직 문서가 없어요',
    emptyText: '문서를 넣고 대화에서 ‘제5조 내용이 뭐야?’처럼 물어보세요.',
    about: ({ pages, unit, articles }: DocumentView, day: string) =>
      [
        ...(pages > 1 && unit !== 'part' ? [many(unit, pages).ko] : []),
        ...(unit === 'page' ? [`조문 ${articles}개`] : []),
        `${day}에 넣음`,
      ].join(' · '),
    read: (title: string) => `${title} 읽기`,
    askIt: '물어보기',
    askOf: (title: string) => `${title}, 이 문서에 물어보기`,
    askHere: '이 문서에 물어보기',
    remove: '도서관에서 빼기',
    removeOf: (title: string) => `${title}, 도서관에서 빼기`,
    removeTitle: '도서관에서 뺄까요?',
    removeText: (title: string) => `‘${title}’ 문서를 도서관에서 빼요. 원래 파일은 그대로 있어요.`,
    removed: (title: string) => `‘${title}’ 문서를 도서관에서 뺐어요.`,
    undo: '되돌리기',
    keep: '그대로 두기',
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
    back: '도서관으로',
    backToChat: '대화로',
    pageOf: (n: number, of: number, unit: extract.Unit) =>
      unit === 'page' ? `${n} / ${of}쪽` : `${place(unit, n).ko} / ${of}`,
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
    deleted: '삭제됨',
    unread: '문서를 열지 못했어요',
  },
  en: {
    title: 'Library',
    intro:
      'Put contracts or rules in here and ask about them in a chat. They never leave this computer.',
    vectors: (v: event.LibraryVectors) =>
      ({
        off: v.problem ?? 'Searched by words only.',
        embedding: `Searched by words and meaning. Reading the meaning: ${share(v)} %`,
        waiting: `Reading the meaning: ${share(v)} %, and it will try again soon. ${v.problem ?? ''}`,
        ready: 'Searched by words and meaning.',
      })[v.state] ?? '',
    addShelf: 'Add a folder as a shelf',
    addShelfText:
      'A shelf follows its folder: new and changed files are read, and you are asked about files that are gone. Nothing is written to the folder.',
    chooseShelf: 'The folder that becomes a shelf',
    shelfOf: (title: string) => `Shelf ${title}`,
    shelfMark: 'shelf',
    stoppedMark: 'stopped',
    going: 'being removed',
    askShelf: 'Ask this shelf',
    askShelfOf: (title: string) => `Ask this shelf: ${title}`,
    rescan: 'Scan again',
    rescanOf: (title: string) => `Scan again: ${title}`,
    looking: 'Checking the folder',
    readingFile: (file: string) => `Reading: ${file}`,
    shelfProgress: (done: number, all: number) =>
      `${done.toLocaleString()} of ${all.toLocaleString()}`,
    shelfFacts: (s: LibraryShelf) =>
      [
        `${s.read.toLocaleString()} ${s.read === 1 ? 'document' : 'documents'}`,
        ...(s.waiting ? [`${s.waiting.toLocaleString()} waiting`] : []),
        ...(s.refused ? [`${s.refused.toLocaleString()} not read`] : []),
        ...(s.gone ? [`${s.gone.toLocaleString()} gone`] : []),
        ...(s.kept ? [`${s.kept.toLocaleString()} kept that left the folder`] : []),
        ...(s.leftOut ? [`${s.leftOut.toLocaleString()} taken out`] : []),
        ...(s.other ? [`${s.other.toLocaleString()} of formats that are not read`] : []),
      ].join(' · '),
    lookedAt: (when: string) => `last checked ${when}`,
    goneSome: (n: number) =>
      n === 1
        ? 'One file is gone from the folder. Take its document out of the library too?'
        : `${n.toLocaleString()} files are gone from the folder. Take their documents out of the library too?`,
    goneAll: (n: number) =>
      `The folder is empty. A disk may be disconnected, or the folder was moved, so ${n === 1 ? 'its document stays' : `its ${n.toLocaleString()} documents stay`}. When the files are back nothing is read again.`,
    dropGone: 'Take out',
    keepGone: 'Keep the documents',
    problemOf: (why: string) =>
      `${why} The documents of the shelf stay, and it goes on when the folder is back.`,
    files: (n: number) => `Show ${n.toLocaleString()} ${n === 1 ? 'file' : 'files'}`,
    filesOf: (title: string) => `Files of the shelf ${title}`,
    fileState: (state: shelf.FileState | ''): string =>
      ({
        '': 'All',
        waiting: 'waiting',
        read: 'read',
        refused: 'not read',
        gone: 'gone',
        kept: 'kept',
        left_out: 'taken out',
      })[state],
    findFile: 'Find by file name',
    noFiles: 'No such file.',
    reread: 'Read again',
    rereadOf: (file: string) => `Read again: ${file}`,
    dropOf: (file: string) => `Take out: ${file}`,
    keepOf: (file: string) => `Keep the documents: ${file}`,
    shelfMore: 'Shelf settings',
    shelfName: 'Name',
    rename: 'Rename',
    goneRule: 'Files that are gone',
    rule: (rule: shelf.Rule): string =>
      ({ ask: 'Ask', drop: 'Take out at once', keep: 'Keep documents' })[rule],
    ruleText: (rule: shelf.Rule): string =>
      ({
        ask: 'When files are gone you are asked here.',
        drop: 'They leave the library at once. When many go at once a disk may be disconnected, so you are asked.',
        keep: 'Their documents stay in the library.',
      })[rule],
    stopShelf: 'Stop following',
    followShelf: 'Follow again',
    removeShelf: 'Remove the shelf',
    removeShelfOf: (title: string) => `Remove the shelf: ${title}`,
    removeShelfTitle: 'Remove the shelf?',
    removeShelfText: (s: LibraryShelf) =>
      `“${s.title}” is removed, and its folder is no longer followed. The files stay where they are. ${s.read === 1 ? 'Its document can' : `Its ${s.read.toLocaleString()} documents can`} stay as your own, or go with it.`,
    removeWith: 'Documents too',
    removeWithout: 'Keep documents',
    add: 'Add files',
    addFolder: 'Add a folder',
    drop: (formats: readonly shop.FormatView[]) =>
      `You can also drop documents onto this window. ${families(
        formats,
        {
          document: 'Documents',
          table: 'tables',
          slides: 'slides',
          book: 'books',
          mail: 'mail',
          text: 'text',
          picture: 'pictures',
        },
        ' ',
      )}`,
    chooseFiles: 'Documents for the library',
    chooseFolder: 'A folder for the library',
    failed: 'The library could not be opened',
    mine: 'Your documents',
    standard: 'Standard contracts',
    standardText:
      'To compare yours with. Those marked “included” come with this program; they are no legal advice.',
    empty: 'No documents yet',
    emptyText: 'Add one and ask in a chat, for example “what does article 5 say?”',
    about: ({ pages, unit, articles }: DocumentView, day: string) =>
      [
        ...(pages > 1 && unit !== 'part' ? [many(unit, pages).en] : []),
        ...(unit === 'page' ? [`${articles} ${articles === 1 ? 'article' : 'articles'}`] : []),
        `added ${day}`,
      ].join(' · '),
    read: (title: string) => `Read ${title}`,
    askIt: 'Ask',
    askOf: (title: string) => `Ask about ${title}`,
    askHere: 'Ask about this document',
    remove: 'Take out',
    removeOf: (title: string) => `Take out ${title}`,
    removeTitle: 'Take it out of the library?',
    removeText: (title: string) =>
      `“${title}” leaves the library. The file itself stays where it is.`,
    removed: (title: string) => `“${title}” left the library.`,
    undo: 'Undo',
    keep: 'Keep it',
    ask: 'Ask in the chat',
    find: 'Find by title or file name',
    found: (n: number) => `${n} found`,
    noneHere: 'None here.',
    more: (n: number, left: number) => `Show ${n} more (${left} left)`,
    bundled: 'included',
    mark: (kind: string): string => (kind === 'mine' ? 'Make it mine' : 'Make it a standard'),
    markOf: (kind: string, title: string) =>
      kind === 'mine' ? `Make it mine: ${title}` : `Make it a standard: ${title}`,
    removeBundled: (title: string) =>
      `“${title}” leaves the library. It comes with the program, so it is back at the next start.`,
    back: 'Back to the library',
    backToChat: 'Back to the chat',
    pageOf: (n: number, of: number, unit: extract.Unit) => `${place(unit, n).en} of ${of}`,
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
    deleted: 'deleted',
    unread: 'The document could not be opened',
  },
});
