// Documents as people have them, and as they should not be: made here, so that nothing foreign lies in the repository.
import { crc32, deflateRawSync } from 'node:zlib';

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
