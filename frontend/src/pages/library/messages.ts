import type { DocumentView, event, extract, shop } from '$lib/api/types';
import { messages } from '$lib/i18n/index.svelte';

/** How much of the passages have a vector, in percent; 100 only when all have. */
const share = (v: event.LibraryVectors) => (v.total ? Math.floor((100 * v.done) / v.total) : 0);

/** The kinds of files that can be read, family by family: Documents (PDF, DOCX), tables (XLSX). */
function families(
  formats: readonly shop.FormatView[],
  names: Record<extract.Family, string>,
): string {
  const of = new Map<extract.Family, string[]>();
  for (const { key, family } of formats)
    of.set(family, [...(of.get(family) ?? []), key.toUpperCase()]);
  const list = [...of].map(([family, keys]) => `${names[family]}(${keys.join(', ')})`).join(', ');
  return list && `${list}.`;
}

/** Where in a document something stands, as the document counts. */
function place(unit: extract.Unit | undefined, n: number): { ko: string; en: string } {
  switch (unit) {
    case 'sheet':
      return { ko: `시트 ${n}`, en: `sheet ${n}` };
    case 'slide':
      return { ko: `슬라이드 ${n}`, en: `slide ${n}` };
    case 'chapter':
      return { ko: `${n}번째 장`, en: `chapter ${n}` };
    case 'part':
      return { ko: `메일의 ${n}번째 부분`, en: `part ${n} of the mail` };
    default:
      return { ko: `${n}쪽`, en: `p. ${n}` };
  }
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
    add: '파일 넣기',
    addFolder: '폴더 넣기',
    drop: (formats: readonly shop.FormatView[]) =>
      `문서를 이 창에 끌어다 놓아도 돼요. ${families(formats, {
        document: '문서',
        table: '표',
        slides: '발표 자료',
        book: '전자책',
        mail: '메일',
        text: '글',
        picture: '사진',
      })}`,
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
    partly: (n: number) => `일부만 읽은 파일 ${n}개`,
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
    page: (n: number, unit?: extract.Unit) => place(unit, n).ko,
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
    drop: (formats: readonly shop.FormatView[]) =>
      `You can also drop documents onto this window. ${families(formats, {
        document: 'Documents',
        table: 'tables',
        slides: 'slides',
        book: 'books',
        mail: 'mail',
        text: 'text',
        picture: 'pictures',
      })}`,
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
    partly: (n: number) => `${n} ${n === 1 ? 'file was' : 'files were'} read in part`,
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
    page: (n: number, unit?: extract.Unit) => place(unit, n).en,
    deleted: 'deleted',
    unread: 'The document could not be opened',
  },
});
