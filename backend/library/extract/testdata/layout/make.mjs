// Draws the pages of layout_test.go anew, with the fonts that scripts/setup.sh installs: node backend/library/extract/testdata/layout/make.mjs
import { writeFile } from 'node:fs/promises';

import { launchBrowser } from '../../../../../e2e/lib/chromium-window.mjs';
import { photo, receipt, receiptPage } from '../../../../../e2e/lib/pictures.mjs';

const browser = await launchBrowser();
const font = "'Noto Sans CJK KR',sans-serif";
const here = (name) => new URL(name, import.meta.url);
const row = (...cells) => `<p>${cells.map((c) => `<span>${c}</span>`).join('')}</p>`;

/** A page as a scanner or a screen shows it: upright, in greys. */
async function scan(name, style, main, width, height, scale = 1.4) {
  const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor: scale });
  await page.setContent(`<style>body{margin:0;background:#fff;filter:grayscale(1)}${style}</style><main>${main}</main>`);
  await writeFile(here(`${name}.jpg`), await page.screenshot({ type: 'jpeg', quality: 72 }));
  await page.close();
}

const bought = [
  ['복사 용지 A4', '12,000'],
  ['볼펜 세트', '8,500'],
  ['USB 메모리 32GB', '15,900'],
  ['가위', '3,200'],
  ['딱풀 3개입', '2,400'],
  ['합계 금액', '42,000'],
  ['부가세', '3,818'],
];
const till =
  `main{padding:40px;width:660px;font:28px ${font}}h1{font-size:40px;text-align:center}p{display:flex;justify-content:space-between;margin:6px 0}` +
  `hr{border:0;border-top:2px dashed #555}.t{display:grid;grid-template-columns:1fr 80px 160px;row-gap:8px;text-align:right}.t :nth-child(3n+1){text-align:left}`;
await scan('receipt', till, `<h1>행복 문구점</h1><hr>${bought.map((b) => row(...b)).join('')}<hr>`, 740, 560);
await scan('receipt-faint', `${till}main{color:#a9a49c;background:#f4f0e8}`, `<h1>행복 문구점</h1><hr>${bought.map((b) => row(...b)).join('')}<hr>`, 740, 560);
const cells = [
  ['품목', '수량', '금액'],
  ['아메리카노', '2', '9,000'],
  ['카페라떼', '1', '5,000'],
  ['Earl Grey Tea', '3', '16,500'],
];
await scan(
  'receipt-three',
  till,
  `<h1>CAFE 봄날</h1><hr><div class="t">${cells.flat().map((c) => `<span>${c}</span>`).join('')}</div><hr>${row('합계', '30,500')}${row('받은 돈', '50,000')}${row('거스름돈', '19,500')}`,
  740,
  520,
);
await writeFile(here('receipt-photo.jpg'), await photo(browser, receiptPage('행복 문구점', bought, { slant: -7 }), 900, 1000, 70));
await writeFile(here('receipt-short.jpg'), await receipt(browser, '행복 문구점', [['복사 용지', '12,000'], ['볼펜 세트', '8,500'], ['합계 금액', '20,500']]));
const columns = `main{padding:60px;width:1240px;font:25px/1.6 ${font};column-count:2;column-gap:60px}h2{column-span:all;text-align:center}`;
await scan(
  'columns-ko',
  columns,
  '<h2>임대차 계약의 개요</h2>이 계약은 임대인과 임차인 사이의 권리와 의무를 정함을 목적으로 한다. 임차인은 건물을 주거의 목적으로만 사용하여야 하며 임대인의 동의 없이 구조를 변경할 수 없다. 차임은 매월 말일에 지급한다.<br><br>보증금은 계약이 끝난 날부터 열흘 안에 돌려준다. 수선에 드는 비용은 임대인이 부담하되 임차인의 잘못으로 생긴 것은 임차인이 부담한다. 분쟁은 건물이 있는 곳의 법원에서 다룬다.',
  1360,
  520,
  1.2,
);
await scan(
  'columns-en',
  columns,
  'The quarterly report shows that sales in the northern region grew by twelve percent while costs remained flat. Management attributes this to the new warehouse, which opened in March, and to shorter routes.<br><br>In the south the picture is mixed. Two branches closed for repairs and lost about six weeks of trade. Staff were paid in full during that time. The board expects both of them to recover before winter.',
  1360,
  460,
  1.2,
);
await scan(
  'quotation',
  `main{padding:60px;width:900px;font:24px/1.7 ${font}}table{border-collapse:collapse;width:100%}td,th{border:1px solid #444;padding:6px 14px}td:nth-child(n+2){text-align:right}`,
  `<h1>견적서 Quotation</h1><p>수신: 한빛상사 김민수 님 / Project: Office Move 2026</p><table>${[
    ['항목', 'Qty', '단가', 'Amount'],
    ['책상 Desk', '4', '180,000', '720,000'],
    ['의자 Chair', '8', '95,000', '760,000'],
    ['모니터 Monitor', '4', '250,000', '1,000,000'],
  ]
    .map((r) => `<tr>${r.map((c) => `<td>${c}</td>`).join('')}</tr>`)
    .join('')}</table><p>Total 2,480,000원 (VAT 별도). 납기는 계약 후 2주입니다.</p>`,
  1020,
  640,
);
await scan(
  'bill-small',
  `main{padding:20px;width:560px;font:14px/1.5 ${font}}p{margin:4px 0;display:flex;justify-content:space-between}`,
  `<h3>3월 전기요금 청구서</h3>${row('기본요금', '1,260원')}${row('전력량요금', '24,850원')}${row('기후환경요금', '1,800원')}${row('부가가치세', '2,791원')}${row('청구금액', '30,701원')}<div>납기일은 4월 25일이며 기한이 지나면 연체료가 붙습니다.</div>`,
  600,
  280,
  1,
);
await browser.close();
