import { count, duration } from '$lib/i18n/format';
import { messages } from '$lib/i18n/index.svelte';

import { LONG, type Speed } from './speed';

const rate = ({ rate }: Speed) => count(rate < 2 ? Math.round(rate * 10) / 10 : Math.round(rate));
const long = ({ rate }: Speed) => duration(Math.round(LONG / rate / 10) * 10_000);

export const text = messages({
  ko: {
    title: '모델',
    intro: '이 컴퓨터의 모델이 요청을 이해하고 답을 써요. 모델이 없어도 내장 통역가가 일해요.',
    loading: '모델을 살펴보고 있어요.',
    failed: '모델 정보를 가져오지 못했어요.',
    check: '다시 확인',
    checking: '확인하고 있어요',
    checkedOk: 'Ollama가 잘 대답해요.',
    checkedNot: '아직 그대로예요.',

    duty: '지금 일하는 통역가',
    dutyBuiltin: '내장 통역가',
    dutyBuiltinText: '모델 없이, 미리 익힌 표현을 알아들어요.',
    dutyStandIn: (name: string) => `${name} 대신 내장 통역가가 일하고 있어요.`,
    dutyLoading: '모델을 메모리에 올리고 있어요. 잠시만 기다려 주세요.',
    ollama: 'Ollama',
    openai: 'OpenAI 호환 서버',
    ok: '잘 되고 있어요',
    starting: '준비하는 중',
    away: '자리에 없어요',
    standingIn: '대신 일하는 중',
    memoryOf: (free: string, total: string) => `메모리 ${total} 중 ${free} 남음`,

    notInstalled: 'Ollama가 설치되어 있지 않아요',
    notInstalledText: '설치하면 이 컴퓨터 안에서만 도는 모델이 말을 훨씬 잘 알아들어요.',
    install: '설치 페이지 열기',
    notRunning: 'Ollama가 꺼져 있어요',
    notRunningText: '설치는 되어 있어요. 켜기만 하면 돼요.',
    start: 'Ollama 켜기',
    startingNow: '켜고 있어요',
    notAnswering: 'Ollama가 대답하지 않아요',
    notAnsweringText:
      '연결은 되지만 답이 없어요. 바쁘거나 멈춘 것 같아요. 조금 뒤에 다시 확인해 주세요.',
    writes: (s: Speed) =>
      s.measured
        ? `이 모델이 실제로 답한 속도: 초당 ${rate(s)}토큰.`
        : s.slow
          ? `그래픽 카드가 없으면 느려요: 초당 ${rate(s)}토큰쯤, 긴 답에는 ${long(s)}쯤 걸려요.`
          : `그래픽 카드가 없어도 초당 ${rate(s)}토큰쯤 써요.`,
    nothingThere: (host: string) => `${host}에서 아무것도 대답하지 않아요`,
    nothingThereText: '주소나 포트가 맞는지, 그곳에서 켜져 있는지 확인해 주세요.',
    startThere: '이 주소에서 Ollama 켜기',
    wrongAddress: '이 주소에는 Ollama가 없어요',
    wrongAddressText: '주소를 확인하고 고쳐 주세요.',
    noModel: '쓸 모델이 없어요',
    noModelText: 'Ollama는 잘 켜져 있어요. 모델을 하나 받으면 바로 쓸 수 있어요.',
    noSuchModel: (name: string) => `‘${name}’ 모델이 없어요`,
    noSuchModelText: '받거나, 아래에서 다른 모델을 골라 주세요.',
    refused: '서버가 요청을 거절했어요',
    refusedText: '열쇠가 맞는지, 메모리가 넉넉한지 확인해 주세요.',
    unwell: 'Ollama에 문제가 있어요',
    loadingModel: '모델을 메모리에 올리는 중이에요',
    loadingModelText: '처음 한 번만 조금 걸려요.',
    pullIt: (name: string, size: string) => `${name} 받기${size ? ` (${size})` : ''}`,
    pulling: (percent: string) => `받는 중 ${percent}`,
    lookBelow: '받을 모델 고르기',
    address: 'Ollama 주소',
    useAddress: '이 주소로 바꾸기',
    defaultAddress: (host: string) => `기본 주소 ${host}`,
    keyLabel: '열쇠(API 키)',
    keepKey: '열쇠 저장',

    pulls: '받는 중인 모델',
    pullWaiting: '차례를 기다려요',
    pullPaused: '멈췄어요',
    pullFailed: '받지 못했어요',
    pullBegin: '받을 준비를 해요',
    ofSize: (done: string, total: string) => `${total} 중 ${done}`,
    speed: (size: string) => `초당 ${size}`,
    left: (time: string) => `${time} 남음`,
    pause: '잠시 멈추기',
    resume: '이어 받기',
    retry: '다시 받기',
    cancel: '그만 받기',
    cancelTitle: '그만 받을까요?',
    cancelText: (name: string) => `‘${name}’ 모델 받기를 그만두고 목록에서 지워요.`,
    keepPulling: '계속 받기',
    progressOf: (name: string) => `${name} 받기`,

    installed: '설치된 모델',
    installedNone: '아직 받은 모델이 없어요. 아래에서 하나 받아 보세요.',
    installedAway: 'Ollama에 연결되면 설치된 모델이 여기에 보여요.',
    onDisk: (size: string) => `디스크 ${size}`,
    needs: (size: string) => `메모리 약 ${size}`,
    takes: (size: string) => `메모리 ${size} 쓰는 중`,
    context: (tokens: string) => `문맥 ${tokens}토큰`,
    loadedNow: '메모리에 있음',
    embedding: '문서 찾기용',
    thinks: '생각하는 모델',
    tooBig: '이 컴퓨터에는 커요',
    fits: '이 컴퓨터에 맞아요',
    serves: (roles: string) => `맡은 역할: ${roles}`,
    servesAll: '모든 역할을 맡고 있어요',
    use: '이 모델 쓰기',
    inUse: '쓰는 중',
    load: '메모리에 올리기',
    loadingIt: '올리는 중',
    unload: '메모리에서 내리기',
    unloadingIt: '내리는 중',
    remove: '지우기',
    removeOf: (name: string) => `${name} 지우기`,
    removeTitle: '모델을 지울까요?',
    removeText: (name: string, size: string) =>
      `‘${name}’ 모델을 디스크에서 지워요. ${size}가 비워지고, 다시 쓰려면 또 받아야 해요.`,
    removeRoles: (roles: string) =>
      `지금 이 모델이 맡은 역할: ${roles}. 지우면 다른 모델이 맡아요.`,
    keep: '그대로 두기',

    recommended: '추천 모델',
    recommendedText: '한국어를 잘하고 작은 컴퓨터에서도 도는 모델들이에요.',
    download: '받기',
    installedAlready: '받았어요',
    other: '다른 모델 받기',
    otherText: 'ollama.com에 있는 이름을 그대로 적어 주세요.',
    otherPlaceholder: '예: qwen3:4b',
    browse: '모델 목록 보기',

    roles: '역할마다 다른 모델',
    rolesText: '비워 두면 기본값을 써요. 작은 모델은 빠르고, 큰 모델은 꼼꼼해요.',
    role: '역할',
    model: '모델',
    temperature: '온도',
    maxTokens: '답 길이(토큰)',
    timeout: '제한 시간(초)',
    retries: '재시도',
    forAll: '기본 모델',
    missing: (name: string) => `${name} (없음)`,
    noLimit: '제한 없음',
    reset: (role: string) => `${role}: 기본값으로 되돌리기`,
    cell: (role: string, what: string) => `${role}: ${what}`,

    remote: 'OpenAI 호환 서버',
    remoteText: 'vLLM, llama-server, LM Studio나 인터넷 서비스를 쓸 때만 채워 주세요.',
    keyNone: '저장된 열쇠가 없어요.',
    keyIn: (place: string) => `열쇠를 ${place}에 저장해 두었어요. 다시 보여 주지는 않아요.`,
    keyring: '시스템 열쇠고리',
    file: '나만 읽을 수 있는 파일',
    env: '환경 변수',
    newKey: '새 열쇠',
    forgetKey: '열쇠 지우기',
    keyKept: '열쇠를 저장했어요.',
    keyForgotten: '열쇠를 지웠어요.',
    test: '연결 확인',
    off: '쓰지 않음',
    unreachable: '연결되지 않아요',
    no_model: '모델이 없어요',
    error: '문제가 있어요',

    more: '자세한 설정',
  },
  en: {
    title: 'Models',
    intro:
      'A model on this computer understands requests and writes answers. Without one, the built-in interpreter works.',
    loading: 'Looking at the models.',
    failed: 'The models could not be read.',
    check: 'Check again',
    checking: 'Checking',
    checkedOk: 'Ollama answers well.',
    checkedNot: 'It is still the same.',

    duty: 'On duty now',
    dutyBuiltin: 'The built-in interpreter',
    dutyBuiltinText: 'It understands phrases it has learned, without a model.',
    dutyStandIn: (name: string) => `The built-in interpreter stands in for ${name}.`,
    dutyLoading: 'The model is being loaded into memory. One moment please.',
    ollama: 'Ollama',
    openai: 'OpenAI-compatible server',
    ok: 'Working',
    starting: 'Getting ready',
    away: 'Away',
    standingIn: 'Standing in',
    memoryOf: (free: string, total: string) => `${free} of ${total} memory free`,

    notInstalled: 'Ollama is not installed',
    notInstalledText:
      'With it, a model that runs on this computer alone understands you far better.',
    install: 'Open the download page',
    notRunning: 'Ollama is not running',
    notRunningText: 'It is installed. It only has to be started.',
    start: 'Start Ollama',
    startingNow: 'Starting',
    notAnswering: 'Ollama does not answer',
    notAnsweringText:
      'It can be reached but stays silent; it may be busy or stuck. Check again in a moment.',
    writes: (s: Speed) =>
      s.measured
        ? `What it really wrote here: ${rate(s)} tokens a second.`
        : s.slow
          ? `Slow without a graphics card: about ${rate(s)} tokens a second, a long answer takes about ${long(s)}.`
          : `Without a graphics card it writes about ${rate(s)} tokens a second.`,
    nothingThere: (host: string) => `Nothing answers at ${host}`,
    nothingThereText: 'Check the address and the port, and that it is running there.',
    startThere: 'Start Ollama at this address',
    wrongAddress: 'There is no Ollama at this address',
    wrongAddressText: 'Look at the address and correct it.',
    noModel: 'There is no model yet',
    noModelText: 'Ollama is running well. Download one model and you can go.',
    noSuchModel: (name: string) => `The model ${name} is not here`,
    noSuchModelText: 'Download it, or choose another one below.',
    refused: 'The server turned the request down',
    refusedText: 'See whether the key is right and there is enough memory.',
    unwell: 'Something is wrong with Ollama',
    loadingModel: 'The model is being loaded into memory',
    loadingModelText: 'This takes a while the first time only.',
    pullIt: (name: string, size: string) => `Download ${name}${size ? ` (${size})` : ''}`,
    pulling: (percent: string) => `Downloading ${percent}`,
    lookBelow: 'Choose a model',
    address: 'Ollama address',
    useAddress: 'Use this address',
    defaultAddress: (host: string) => `Default ${host}`,
    keyLabel: 'Key (API key)',
    keepKey: 'Save the key',

    pulls: 'On their way',
    pullWaiting: 'Waiting its turn',
    pullPaused: 'Paused',
    pullFailed: 'Not downloaded',
    pullBegin: 'Getting ready',
    ofSize: (done: string, total: string) => `${done} of ${total}`,
    speed: (size: string) => `${size} a second`,
    left: (time: string) => `${time} left`,
    pause: 'Pause',
    resume: 'Resume',
    retry: 'Try again',
    cancel: 'Cancel',
    cancelTitle: 'Cancel the download?',
    cancelText: (name: string) => `The download of ${name} is taken off the list.`,
    keepPulling: 'Keep downloading',
    progressOf: (name: string) => `Download of ${name}`,

    installed: 'Installed',
    installedNone: 'No model yet. Download one below.',
    installedAway: 'Once Ollama can be reached, its models are listed here.',
    onDisk: (size: string) => `${size} on disk`,
    needs: (size: string) => `about ${size} memory`,
    takes: (size: string) => `uses ${size} memory`,
    context: (tokens: string) => `${tokens} tokens of context`,
    loadedNow: 'In memory',
    embedding: 'For finding documents',
    thinks: 'Thinks first',
    tooBig: 'Too big for this computer',
    fits: 'Fits this computer',
    serves: (roles: string) => `Serves: ${roles}`,
    servesAll: 'Serves every role',
    use: 'Use this model',
    inUse: 'In use',
    load: 'Load',
    loadingIt: 'Loading',
    unload: 'Unload',
    unloadingIt: 'Unloading',
    remove: 'Delete',
    removeOf: (name: string) => `Delete ${name}`,
    removeTitle: 'Delete the model?',
    removeText: (name: string, size: string) =>
      `${name} is removed from the disk. That frees ${size}; to use it again it has to be downloaded.`,
    removeRoles: (roles: string) => `It serves now: ${roles}. Another model will take over.`,
    keep: 'Keep it',

    recommended: 'Recommended',
    recommendedText: 'Models that are good at Korean and run on small computers too.',
    download: 'Download',
    installedAlready: 'Installed',
    other: 'Another model',
    otherText: 'Its name, exactly as on ollama.com.',
    otherPlaceholder: 'e.g. qwen3:4b',
    browse: 'Browse models',

    roles: 'A model for each role',
    rolesText: 'Empty means the default. Small models are quick, large ones thorough.',
    role: 'Role',
    model: 'Model',
    temperature: 'Temperature',
    maxTokens: 'Longest answer (tokens)',
    timeout: 'Time limit (s)',
    retries: 'Retries',
    forAll: 'Default model',
    missing: (name: string) => `${name} (missing)`,
    noLimit: 'no limit',
    reset: (role: string) => `${role}: back to the defaults`,
    cell: (role: string, what: string) => `${role}: ${what}`,

    remote: 'OpenAI-compatible server',
    remoteText: 'Only for vLLM, llama-server, LM Studio or a service on the internet.',
    keyNone: 'No key is kept.',
    keyIn: (place: string) => `A key is kept in ${place}. It is never shown again.`,
    keyring: "the system's keyring",
    file: 'a file only you can read',
    env: 'an environment variable',
    newKey: 'New key',
    forgetKey: 'Forget the key',
    keyKept: 'The key was saved.',
    keyForgotten: 'The key was forgotten.',
    test: 'Test the connection',
    off: 'Not used',
    unreachable: 'Not reachable',
    no_model: 'Has no model',
    error: 'In trouble',

    more: 'In detail',
  },
});

/** What a provider is called. */
export function providerName(provider: string): string {
  if (provider === 'ollama') return text.ollama;
  if (provider === 'openai') return text.openai;
  return text.dutyBuiltin;
}

/** How a provider is, in a word or two. */
export function healthName(health: string): string {
  switch (health) {
    case 'ok':
      return text.ok;
    case 'starting':
      return text.starting;
    case 'off':
      return text.off;
    case 'unreachable':
      return text.unreachable;
    case 'no_model':
      return text.no_model;
    default:
      return text.error;
  }
}
