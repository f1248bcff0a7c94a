import { expect, it } from 'vitest';

import { pathsOf } from './pathsOf';

it('gives the files of a list of addresses, and nothing else', () => {
  const list =
    '# copied\r\nfile:///home/me/%EC%98%81%EC%88%98%EC%A6%9D%20100%25.png\r\nhttps://example.com/a.png\r\nfile:///C:/a.txt\r\nfile:///%zz\r\n';
  expect(pathsOf(list)).toEqual(['/home/me/영수증 100%.png', 'C:/a.txt']);
  expect(pathsOf('words')).toEqual([]);
});
