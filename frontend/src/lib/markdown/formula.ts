// Formulas. Fetched when the first one is to be drawn: most chats have none.
import 'katex/dist/katex.min.css';

import katex from 'katex';

export function formula(source: string, display: boolean): string {
  return katex.renderToString(source, {
    displayMode: display,
    throwOnError: false,
    trust: false,
    strict: false,
    maxExpand: 200,
    maxSize: 20,
    output: 'html',
  });
}
