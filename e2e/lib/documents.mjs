// Documents as people have them, and as they should not be: made here, so that nothing foreign lies in the repository.
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

/** A zip archive of these parts: [name, text]. */
export function archive(...parts) {
  const locals = [];
  const central = [];
  let at = 0;
  for (const [name, text] of parts) {
    const [path, raw] = [Buffer.from(name), Buffer.from(text)];
    const packed = deflateRawSync(raw);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(0x800, 2); // names in UTF-8
    head.writeUInt16LE(8, 4);
    head.writeUInt32LE(crc32(raw), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(raw.length, 18);
    head.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), head, path, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), head, tail, path]));
    locals.push(local);
    at += local.length;
  }
  const list = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, list, end]);
}

/** The texts in a zip archive, by the names of their files. */
export function texts(zip) {
  const found = {};
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [packed, name, extra, note, head] = [
      zip.readUInt32LE(at + 20),
      ...[28, 30, 32].map((n) => zip.readUInt16LE(at + n)),
      zip.readUInt32LE(at + 42),
    ];
    const begins = head + 30 + zip.readUInt16LE(head + 26) + zip.readUInt16LE(head + 28);
    const raw = zip.subarray(begins, begins + packed);
    const plain = zip.readUInt16LE(at + 10) === 0;
    found[zip.toString('utf8', at + 46, at + 46 + name)] = (plain ? raw : inflateRawSync(raw)).toString();
    at += 46 + name + extra + note;
  }
  return found;
}

const xml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A Word document of these lines. */
export const docx = (lines) =>
  archive([
    'word/document.xml',
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>' +
      lines.map((l) => `<w:p><w:r><w:t>${xml(l)}</w:t></w:r></w:p>`).join('') +
      '</w:body></w:document>',
  ]);

/** A Hangul document of these lines. */
export const hwpx = (lines) =>
  archive([
    'Contents/section0.xml',
    '<hs:sec xmlns:hs="http://www.hancom.co.kr/hwpml/2011/section" xmlns:hp="http://www.hancom.co.kr/hwpml/2011/paragraph">' +
      lines.map((l) => `<hp:p><hp:run><hp:t>${xml(l)}</hp:t></hp:run></hp:p>`).join('') +
      '</hs:sec>',
  ]);

const wide = (text) => Buffer.from(text, 'utf16le');
const words = (...numbers) => {
  const out = Buffer.alloc(4 * numbers.length);
  numbers.forEach((n, i) => out.writeUInt32LE(n >>> 0, 4 * i));
  return out;
};

/** A compound file (MS-CFB, version 3) of these streams: [name, data], the last of them in the storage BodyText. */
function compound(...streams) {
  const [END, FREE, NONE] = [0xfffffffe, 0xffffffff, 0xffffffff];
  const fat = [];
  const body = [];
  const put = (data) => {
    const first = fat.length;
    const sectors = Math.ceil(data.length / 512);
    for (let n = 1; n < sectors; n++) fat.push(first + n);
    fat.push(END);
    body.push(data, Buffer.alloc(sectors * 512 - data.length));
    return first;
  };
  const entry = (name, kind, right, child, first, size) => {
    const out = Buffer.alloc(128);
    wide(name).copy(out);
    out.writeUInt16LE(2 * name.length + 2, 64);
    out.set([kind, 1], 66);
    words(NONE, right, child).copy(out, 68);
    words(first, size).copy(out, 116);
    return out;
  };
  const whole = streams.map(([name, data]) => [
    name,
    Buffer.concat([data, Buffer.alloc(Math.max(0, 4096 - data.length))]),
  ]);
  const n = whole.length;
  const stream = ([name, data], right) => entry(name, 2, right, NONE, put(data), data.length);
  const directory = put(
    Buffer.concat([
      entry('Root Entry', 5, NONE, 1, END, 0),
      ...whole.slice(0, -1).map((s, i) => stream(s, i + 2)),
      entry('BodyText', 1, NONE, n + 1, 0, 0),
      stream(whole[n - 1], NONE),
    ]),
  );
  const table = fat.length;
  fat.push(0xfffffffd);
  while (fat.length % 128) fat.push(FREE);
  const head = Buffer.alloc(512, 0xff);
  head.fill(0, 8, 76);
  words(0xe011cfd0, 0xe11ab1a1).copy(head);
  Buffer.from([0x3e, 0, 3, 0, 0xfe, 0xff, 9, 0, 6, 0]).copy(head, 24);
  words(0, 1, directory, 0, 4096, END, 0, END, 0, table).copy(head, 40);
  return Buffer.concat([head, ...body, words(...fat)]);
}

/** A document of Hangul 5 of these lines, which are few. */
export function hwp(lines) {
  const record = (tag, level, data) =>
    Buffer.concat([words(tag | (level << 10) | (data.length << 20)), data]);
  const head = Buffer.alloc(40);
  head.write('HWP Document File');
  head.writeUInt32LE(0x05000300, 32);
  const body = lines.flatMap((l) => [record(0x42, 0, Buffer.alloc(22)), record(0x43, 1, wide(`${l}\r`))]);
  return compound(['FileHeader', head], ['Section0', Buffer.concat(body)]);
}

/** A PDF with a page for each list of lines, as the browser prints it. */
export async function pdf(context, title, pages) {
  const page = await context.newPage();
  try {
    const sheets = pages.map(
      (lines) => `<section>${lines.map((l) => `<p>${xml(l)}</p>`).join('')}</section>`,
    );
    await page.setContent(
      `<title>${xml(title)}</title><style>section{break-after:page;font:12pt 'Noto Sans CJK KR',sans-serif}</style>${sheets.join('')}`,
    );
    return await page.pdf({ format: 'A4' });
  } finally {
    await page.close();
  }
}

/** A PDF that asks for a password nobody knows. */
export function lockedPDF() {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>',
    `<</Filter/Standard/V 1/R 2/O<${'ab'.repeat(32)}>/U<${'cd'.repeat(32)}>/P -4>>`,
  ];
  let text = '%PDF-1.4\n';
  const places = objects.map((o, i) => {
    const at = text.length;
    text += `${i + 1} 0 obj\n${o}\nendobj\n`;
    return at;
  });
  const xref = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  text += places.map((p) => `${String(p).padStart(10, '0')} 00000 n \n`).join('');
  const id = `<${'00'.repeat(16)}>`;
  text += `trailer\n<</Size ${objects.length + 1}/Root 1 0 R/Encrypt 4 0 R/ID[${id}${id}]>>\nstartxref\n${xref}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

/** A small archive that would be a very large document. */
export const bomb = () =>
  archive([
    'word/document.xml',
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>' +
      `<w:p><w:r><w:t>${'가'.repeat(1000)}</w:t></w:r></w:p>`.repeat(15_000) +
      '</w:body></w:document>',
  ]);

/** A contract with so many articles, a page break every few: about `pages` pages. */
export function longText(name, pages) {
  const out = [];
  for (let p = 0; p < pages; p++) {
    const lines = p ? [] : [name, ''];
    for (let a = 1; a <= 4; a++)
      lines.push(
        `제${p * 4 + a}조(사항 ${p * 4 + a})`,
        ...Array.from(
          { length: 4 },
          (_, i) =>
            `${'①②③④'[i]} ${name}의 갑과 을은 제${p * 4 + a}호의 업무를 서로 알리고, 그 기한은 ${p + a + i}일로 하며, 이를 지키지 못한 쪽은 지체한 날마다 정해진 금액을 상대방에게 지급하여야 한다.`,
        ),
      );
    out.push(lines.join('\n'));
  }
  return out.join('\f');
}

/** The contract a newcomer drags in, by page. */
export const contract = [
  [
    '근로계약서',
    '제1조(목적) 이 계약은 갑과 을의 근로조건을 정한다.',
    '제2조(계약기간) 계약기간은 2026년 3월 1일부터 1년으로 한다.',
    '제3조(근무장소) 근무장소는 서울 본사로 한다.',
  ],
  [
    '제4조(업무) 을은 홍보 업무를 한다.',
    '제5조(임금) 월급은 300만원으로 하고 매월 25일에 지급한다. 연장근로에는 통상임금의 30퍼센트를 더한다.',
    '제6조(휴가) 연차휴가는 15일로 한다.',
    '제7조(해지) 갑은 15일 전에 알리고 을을 해고할 수 있다.',
  ],
];
