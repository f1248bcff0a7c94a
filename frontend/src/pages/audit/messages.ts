import { messages } from '$lib/i18n/index.svelte';

export const text = messages({
  ko: {
    title: '기록',
    intro:
      '읽기만 한 것이 아닌 모든 일과, 막거나 거절한 일이에요. 누가 정했고, 무엇을 보았고, 무엇이 실행됐고, 어떻게 됐는지 남아요. 비밀은 가려져 있어요.',
    loading: '기록을 꺼내고 있어요.',
    failed: '기록을 읽지 못했어요.',
    fresh: '새로 보기',
    exportAs: (format: string) => `${format}로 내보내기`,
    exportTitle: '기록을 어디에 저장할까요?',
    exported: (path: string) => `기록 전체를 저장했어요: ${path}`,
    filters: '거르기',
    tool: '공구',
    chat: '대화',
    by: '정한 이',
    outcome: '결과',
    all: '모두',
    none: '아직 기록이 없어요. 무언가를 바꾸거나 보내는 일을 하면 여기에 남아요.',
    noneSuch: '이 조건에 맞는 기록이 없어요.',
    clear: '조건 지우기',
    more: '더 보기',
    end: '여기가 처음이에요.',
    goneChat: '지워진 대화',
    rule: '규칙',
    grant: '계속되는 허락',
    person: '사람',
    counter: '창구',
    manual: '공구 설명서',
    denied: '막음',
    rejected: '거절함',
    started: '시작함',
    done: '끝남',
    failedOutcome: '실패',
    never: '일어나지 않음',
    unknown: '알 수 없음',
    decidedBy: '정한 이',
    question: '물어본 것',
    shown: '보여 준 것',
    args: '실행한 값',
    notRun: '실행하지 않은 값',
    origins: '값이 온 곳',
    result: '결과',
    code: '오류',
    job: '일',
    digest: '지문',
    openJob: '이 일 열기',
    details: '자세히',
  },
  en: {
    title: 'Audit',
    intro:
      'Everything that was more than reading, and whatever was denied or turned down: who decided, what was shown, what ran, and what came of it. Secrets are covered.',
    loading: 'Fetching the audit log.',
    failed: 'The audit log could not be read.',
    fresh: 'Look again',
    exportAs: (format: string) => `Export as ${format}`,
    exportTitle: 'Where should the audit log go?',
    exported: (path: string) => `The whole audit log was saved: ${path}`,
    filters: 'Filter',
    tool: 'Tool',
    chat: 'Chat',
    by: 'Decided by',
    outcome: 'Outcome',
    all: 'All',
    none: 'Nothing yet. What changes or sends something is written here.',
    noneSuch: 'No entry fits these filters.',
    clear: 'Clear the filters',
    more: 'More',
    end: 'This is the beginning.',
    goneChat: 'a deleted chat',
    rule: 'a rule',
    grant: 'a permission that holds',
    person: 'a person',
    counter: 'the counter',
    manual: 'the tool’s manual',
    denied: 'Denied',
    rejected: 'Turned down',
    started: 'Started',
    done: 'Done',
    failedOutcome: 'Failed',
    never: 'Did not happen',
    unknown: 'Nobody can tell',
    decidedBy: 'Decided by',
    question: 'Asked',
    shown: 'Shown',
    args: 'What ran',
    notRun: 'What did not run',
    origins: 'Where values came from',
    result: 'Result',
    code: 'Error',
    job: 'Job',
    digest: 'Digest',
    openJob: 'Open this job',
    details: 'Details',
  },
});

/** Who may have decided about a call, as the shop names them. */
export const DECIDERS = ['person', 'grant', 'rule', 'counter', 'manual'] as const;

/** What may have become of it. */
export const OUTCOMES = [
  'done',
  'failed',
  'started',
  'denied',
  'rejected',
  'never',
  'unknown',
] as const;

export function decider(by: string): string {
  const known = DECIDERS.find((d) => d === by);
  return known ? text[known] : by;
}

export function outcome(name: string): string {
  const known = OUTCOMES.find((o) => o === name);
  if (!known) return name;
  return known === 'failed' ? text.failedOutcome : text[known];
}
