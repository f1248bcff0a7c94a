// Pictures, made here: a red square with a white one in it, and a photo as a phone takes it.
import { deflateSync } from 'node:zlib';

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

const crc = (data) => {
  let c = 0xffffffff;
  for (const byte of data) c = table[(c ^ byte) & 0xff] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
};

function chunk(kind, data) {
  const body = Buffer.concat([Buffer.from(kind), data]);
  const out = Buffer.alloc(12 + data.length);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc(body), 8 + data.length);
  return out;
}

export function png(width, height) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const rows = [];
  for (let y = 0; y < height; y++) {
    const row = Buffer.alloc(1 + width * 3);
    for (let x = 0; x < width; x++) {
      const white = Math.abs(x - width / 2) < width / 4 && Math.abs(y - height / 2) < height / 4;
      row.set(white ? [250, 250, 245] : [178, 44, 36], 1 + x * 3);
    }
    rows.push(row);
  }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** What a phone notes in a photo that it takes: itself, how it was held, and the place, in a block of EXIF. */
function exif(held) {
  const text = (s) => Buffer.from(`${s}\0`, 'latin1');
  const rational = (...values) => {
    const out = Buffer.alloc(8 * values.length);
    values.forEach(
      (v, i) => out.writeUInt32LE(Math.round(v * 100), 8 * i) && out.writeUInt32LE(100, 8 * i + 4),
    );
    return out;
  };
  /** A directory at a place in the block, with what does not fit into it behind it. */
  const directory = (at, entries) => {
    const head = Buffer.alloc(2 + 12 * entries.length + 4);
    head.writeUInt16LE(entries.length);
    const more = [];
    let end = at + head.length;
    entries.forEach(([tag, type, count, value], i) => {
      const to = 2 + 12 * i;
      head.writeUInt16LE(tag, to);
      head.writeUInt16LE(type, to + 2);
      head.writeUInt32LE(count, to + 4);
      if (value.length <= 4) return void value.copy(head, to + 8);
      head.writeUInt32LE(end, to + 8);
      more.push(value);
      end += value.length;
    });
    return Buffer.concat([head, ...more]);
  };
  const place = [
    [1, 2, 2, text('N')],
    [2, 5, 3, rational(37, 33, 59.4)],
    [3, 2, 2, text('E')],
    [4, 5, 3, rational(126, 58, 40.8)],
  ];
  const number = (n) => Buffer.from([n & 255, (n >> 8) & 255, 0, 0]);
  const camera = text('Agent Phone');
  const first = (at) =>
    directory(8, [
      [0x010f, 2, camera.length, camera],
      [0x0112, 3, 1, number(held)],
      [0x8825, 4, 1, number(at)],
    ]);
  const gps = 8 + first(0).length;
  const tiff = Buffer.concat([Buffer.from('II*\0\x08\0\0\0', 'latin1'), first(gps), directory(gps, place)]);
  const block = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
  const mark = Buffer.from([0xff, 0xe1, 0, 0]);
  mark.writeUInt16BE(block.length + 2, 2);
  return Buffer.concat([mark, block]);
}

/**
 * What a phone takes of a page: the sensor lies on its side, and EXIF says so. `html` draws the page upright, as wide and high as said.
 */
export async function photo(browser, html, width, height, quality = 80) {
  const page = await browser.newPage({ viewport: { width: height, height: width } });
  try {
    await page.setContent(
      `<style>html{margin:0;overflow:hidden}body{margin:0;position:absolute;width:${width}px;height:${height}px;` +
        `transform-origin:0 0;transform:translateY(${width}px) rotate(-90deg)}</style><body>${html}</body>`,
    );
    const jpeg = await page.screenshot({ type: 'jpeg', quality });
    return Buffer.concat([jpeg.subarray(0, 2), exif(6), jpeg.subarray(2)]);
  } finally {
    await page.close();
  }
}

const CJK = "'Noto Sans CJK KR',sans-serif";
const row = (cells) => `<p>${cells.map((c) => `<span>${c}</span>`).join('')}</p>`;

/** A receipt on a table: what, and how much at the right edge, under a lamp, and not quite straight. */
export const receiptPage = (shop, lines, { slant = -2.5, print = '#222', paper = '#fffefa' } = {}) =>
  `<style>.table{width:100%;height:100%;display:flex;background:radial-gradient(circle at 30% 20%,#c2b8a6,#5b5346)}` +
  `main{margin:auto;width:620px;padding:40px;color:${print};background:linear-gradient(110deg,${paper},#cfc9bb);font:28px ${CJK};transform:rotate(${slant}deg)}` +
  `h1{font-size:40px;text-align:center;margin:0 0 8px}main p{display:flex;justify-content:space-between;margin:6px 0}` +
  `hr{border:0;border-top:2px dashed #555}</style>` +
  `<div class="table"><main><h1>${shop}</h1><hr>${lines.map(row).join('')}<hr></main></div>`;

/** A phone's photo of a receipt with these lines, [what, how much]. */
export const receipt = (browser, shop, lines) => photo(browser, receiptPage(shop, lines), 900, 1100);
