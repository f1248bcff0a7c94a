// Which key, with Ctrl or ⌘, does what. A person may change it; the setting holds what is not as it was: "search=p side=d".

export const usual = {
  new: 'n',
  search: 'k',
  find: 'f',
  next: 'j',
  side: 'b',
  settings: ',',
  keys: '/',
} as const;

export type Command = keyof typeof usual;
export type Keymap = Record<Command, string>;

export const commandsOf = Object.keys(usual) as Command[];

/** What boxes, the page and the system do with these is not to be taken away. */
const others = 'acvxyzqwr';
const possible = /^[a-z,./;]$/;

/** Reads the setting. What is none of ours, or would take a key twice, counts for nothing. */
export function keymapOf(text: string): Keymap {
  const map: Keymap = { ...usual };
  for (const entry of text.split(' ')) {
    const [command = '', key = ''] = entry.split('=');
    if (command in usual && possible.test(key) && !others.includes(key))
      map[command as Command] = key;
  }
  return new Set(Object.values(map)).size === commandsOf.length ? map : { ...usual };
}

/** Writes it: only what is not as it was. */
export const written = (map: Keymap): string =>
  commandsOf
    .filter((c) => map[c] !== usual[c])
    .map((c) => `${c}=${map[c]}`)
    .join(' ');

/** Why a key cannot be had for a command: it does something else already, or is not ours to give. */
export function refusal(
  map: Keymap,
  command: Command,
  key: string,
): Command | 'others' | undefined {
  if (!possible.test(key) || others.includes(key)) return 'others';
  return commandsOf.find((c) => c !== command && map[c] === key);
}

const places: Record<string, string> = { Comma: ',', Slash: '/', Period: '.', Semicolon: ';' };

/** The keys that were meant: with a Hangul layout `key` is a syllable, so the place of the key counts, too. */
export const pressed = (event: Pick<KeyboardEvent, 'key' | 'code'>): string[] => [
  event.key.toLowerCase(),
  event.code.startsWith('Key') ? event.code.slice(3).toLowerCase() : (places[event.code] ?? ''),
];
