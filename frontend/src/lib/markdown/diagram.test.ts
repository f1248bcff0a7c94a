import { expect, it } from 'vitest';

import { harmless } from './diagram';

it('takes markup out of a diagram, and leaves what it is written with', () => {
  for (const text of ['A<-->B', 'A <|-- B', '<<interface>>', 'a<br/>b<br>c', 'style A fill:#f9f'])
    expect(harmless(text)).toBe(text);
  for (const text of [
    '<img src=x onerror=alert(1)>',
    '<<img src=x onerror=alert(1)>',
    '</text><script>',
    '#lt;img src=x#gt;',
    '&lt;img&gt;',
    '&#60;img',
    '#60;img',
    '<br onload=x>',
  ])
    expect(harmless(text)).not.toMatch(/<[a-z/!?]|[#&](?:lt|#?60);/i);
});
