import { messages } from '$lib/i18n/index.svelte';

export const text = messages({
  ko: {
    lead: '다른 컴퓨터에 있는 가게를 지점으로 짝지으면 서로 공구를 빌려 쓸 수 있어요.',
    none: '짝지은 지점이 없어요.',
    lends: (n: number) =>
      n === 0 ? '공구를 빌려주는 지점 · 아직 빌린 공구 없음' : `공구를 빌려주는 지점 · 공구 ${n}개`,
    borrows: (n: number) =>
      n === 0
        ? '공구를 빌려 가는 지점 · 아직 내준 공구 없음'
        : `공구를 빌려 가는 지점 · 공구 ${n}개`,
    here: (since: string) => (since ? `연결됨 · ${since}부터` : '연결됨'),
    away: (since: string) => (since ? `연결 안 됨 · ${since}부터` : '연결 안 됨'),
    unpaired: (since: string) =>
      since ? `그쪽에서 짝을 끊었어요 · ${since}부터` : '그쪽에서 짝을 끊었어요',
    paired: (name: string) => `‘${name}’ 지점과 짝지었어요.`,
    choose: '무엇을 얼마나 빌려줄지는 ‘바깥 공구’ 페이지의 ‘이 가게를 쓰는 프로그램’에서 정해요.',
    chooseThere: '정하러 가기',
    at: (address: string): string => `주소 ${address}`,
    move: '주소 바꾸기',
    moveOf: (name: string) => `${name} 주소 바꾸기`,
    moveTitle: (name: string) => `‘${name}’ 지점의 주소`,
    moveText: '짝지은 바로 그 가게가 그 주소에 있어야 해요. 기다리던 일은 이어서 해요.',
    moveAddress: '새 주소',
    moving: '찾는 중…',
    unpair: '짝 끊기',
    unpairOf: (name: string) => `${name} 짝 끊기`,
    unpairTitle: (name: string) => `‘${name}’ 지점과 짝을 끊을까요?`,
    unpairText: '연결이 바로 끊기고, 하고 있던 일도 멈춰요. 다시 쓰려면 새로 짝지어야 해요.',
    keep: '그대로 두기',
    lendTitle: '이 가게의 공구 빌려주기',
    lendLead:
      '코드를 만들면, 그 코드를 넣은 가게 한 곳과 짝지어요. 무엇을 빌려줄지는 짝지은 뒤에 정해요.',
    lend: '빌려줄 코드 만들기',
    lendText:
      '공구를 빌려 갈 가게의 설정 → 지점 → ‘다른 가게의 공구 빌리기’에 이 주소와 코드를 넣어 주세요.',
    addressShown: (n: number): string => (n > 1 ? '주소 (닿는 것 하나)' : '주소'),
    codeShown: '코드',
    until: (time: string) => `이 코드는 한 번만, ${time}까지 쓸 수 있어요.`,
    copyCode: '코드 복사',
    putAway: '코드 없애기',
    borrowTitle: '다른 가게의 공구 빌리기',
    borrowLead: '빌려줄 가게의 설정 → 지점에서 ‘빌려줄 코드 만들기’를 누르면 주소와 코드가 보여요.',
    address: '빌려줄 가게의 주소',
    code: '그 가게가 보여 준 코드',
    join: '짝짓기',
    joining: '짝짓는 중…',
  },
  en: {
    lead: 'Pair a shop on another computer as a branch, and the two can use each other’s tools.',
    none: 'No branch is paired.',
    lends: (n: number) =>
      n === 0 ? 'Lends no tools yet' : n === 1 ? 'Lends 1 tool' : `Lends ${n} tools`,
    borrows: (n: number) =>
      n === 0 ? 'Borrows no tools yet' : n === 1 ? 'Borrows 1 tool' : `Borrows ${n} tools`,
    here: (since: string) => (since ? `Here since ${since}` : 'Here'),
    away: (since: string) => (since ? `Away since ${since}` : 'Away'),
    unpaired: (since: string) =>
      since ? `Unpaired over there since ${since}` : 'Unpaired over there',
    paired: (name: string) => `Paired with the branch “${name}”.`,
    choose:
      'What is lent, and how much, is chosen on the Outside tools page, under “Programs that use the shop”.',
    chooseThere: 'Choose there',
    at: (address: string): string => `At ${address}`,
    move: 'Change the address',
    moveOf: (name: string) => `Change the address of ${name}`,
    moveTitle: (name: string) => `Address of the branch “${name}”`,
    moveText: 'The very shop that was paired has to be at that address. What waits for it goes on.',
    moveAddress: 'New address',
    moving: 'Looking…',
    unpair: 'Unpair',
    unpairOf: (name: string) => `Unpair ${name}`,
    unpairTitle: (name: string) => `Unpair the branch “${name}”?`,
    unpairText:
      'The connection ends at once, and what is under way stops. To use it again it has to be paired anew.',
    keep: 'Keep it',
    lendTitle: 'Lend the tools of this shop',
    lendLead: 'A code pairs the one shop that enters it. What it may use is chosen after that.',
    lend: 'Make a code to lend',
    lendText:
      'In the shop that will borrow, enter this address and code under Settings → Branches → “Borrow from another shop”.',
    addressShown: (n: number): string => (n > 1 ? 'Address (one that is reached)' : 'Address'),
    codeShown: 'Code',
    until: (time: string) => `This code can be used once, until ${time}.`,
    copyCode: 'Copy the code',
    putAway: 'Put the code away',
    borrowTitle: 'Borrow from another shop',
    borrowLead:
      'In the shop that lends, “Make a code to lend” under Settings → Branches shows its address and a code.',
    address: 'Address of the shop that lends',
    code: 'The code it shows',
    join: 'Pair',
    joining: 'Pairing…',
  },
});
