import type { GroupRack, Rack, Setting, Spec } from '../lib/api/types';

type Row = [
  key: string,
  ko: string,
  en: string,
  capacity: number,
  effect: Rack['effect'],
  group?: string,
  long?: boolean,
];

const rows: Row[] = [
  ['nav', '내비게이션', 'Navigation', 1, 'read', 'MonitorBox', true],
  ['movie', '영화', 'Movie', 1, 'read', 'MonitorBox', true],
  ['song', '노래', 'Song', 2, 'read', 'SongPool', true],
  ['weather', '날씨', 'Weather', 0, 'read'],
  ['calculator', '계산기', 'Calculator', 0, 'read'],
  ['timer', '타이머', 'Timer', 0, 'idempotent', undefined, true],
  ['clock', '시계', 'Clock', 0, 'read'],
];

export const racks: Rack[] = rows.map(([tool, ko, en, capacity, effect, group, long]) => ({
  tool,
  title: { ko, en },
  group,
  capacity,
  confirm: tool === 'calculator' ? 'always' : 'never',
  effect,
  long,
  holders: [],
  blockedBy: [],
  waiting: [],
}));

export const groups: GroupRack[] = [
  { group: 'MonitorBox', capacity: 1, tools: ['nav', 'movie'], holders: [] },
  { group: 'SongPool', capacity: 2, tools: ['song'], holders: [] },
];

export const manuals: Spec[] = racks.map((r) => ({
  key: r.tool,
  title: r.title,
  description: { ko: `${r.title.ko} 공구예요.`, en: `The ${r.title.en} tool.` },
  doing: { ko: '', en: '' },
  group: r.group,
  capacity: r.capacity,
  confirm: r.confirm,
  effect: r.effect,
  long: r.long,
  params: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  result: { type: 'object', properties: { text: { type: 'string' } } },
  examples: [{ text: r.tool === 'song' ? '노래 불러줘' : `${r.title.ko} 켜줘`, args: {} }],
}));

function setting(
  key: string,
  type: Setting['type'],
  value: Setting['value'],
  ko: string,
  en: string,
  choices?: string[],
): Setting {
  return {
    key,
    value,
    default: value,
    source: 'default',
    env: `AGENTCHAT_${key.toUpperCase().replaceAll('.', '_')}`,
    live: true,
    type,
    enum: choices,
    title: { ko, en },
    help: { ko: `${ko}을(를) 정해요.`, en: `Sets: ${en.toLowerCase()}.` },
  };
}

export const settings: Setting[] = [
  setting('workers', 'int', 4, '일꾼 수', 'Workers'),
  setting('lang', 'enum', 'ko', '언어', 'Language', ['ko', 'en']),
  setting('theme', 'enum', 'system', '모양', 'Look', ['light', 'dark', 'system']),
  setting('pace', 'number', 1, '재생 속도', 'Pace'),
  setting('provider', 'enum', 'auto', '통역가', 'Interpreter', [
    'auto',
    'builtin',
    'ollama',
    'openai',
  ]),
  setting('model', 'text', '', '모델', 'Model'),
  setting('ollama_host', 'address', 'http://127.0.0.1:11434', 'Ollama 주소', 'Ollama address'),
  setting('openai_base', 'address', '', 'OpenAI 호환 주소', 'OpenAI-compatible address'),
  setting('num_ctx', 'int', 8192, '문맥 길이', 'Context length'),
  setting('keep_alive', 'text', '30m', '모델 유지 시간', 'Keep the model'),
  setting('parallel', 'int', 1, '동시에 보내는 편지', 'Letters at once'),
  setting('embed_model', 'text', '', '임베딩 모델', 'Embedding model'),
  setting('music_folder', 'folder', '', '음악 폴더', 'Music folder'),
  setting('video_folder', 'folder', '', '영상 폴더', 'Video folder'),
  ...racks.flatMap((r) => [
    setting(
      `tools.${r.tool}.capacity`,
      'int',
      r.capacity,
      `${r.title.ko} 수량`,
      `${r.title.en} capacity`,
    ),
    setting(
      `tools.${r.tool}.confirm`,
      'enum',
      r.confirm,
      `${r.title.ko} 승인`,
      `${r.title.en} approval`,
      ['never', 'first', 'always'],
    ),
  ]),
];
