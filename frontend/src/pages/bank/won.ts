/** Writes an amount as Koreans say it, by the same rules as the shop: 15000 is 1만5천원. Amounts are never negative here. */
export function wonInWords(amount: number): string {
  let rest = amount;
  let words = '';
  for (const [size, name] of UNITS) {
    const group = Math.floor(rest / size);
    if (group > 0) words += groupOf(group) + name;
    rest %= size;
  }
  if (!words || (rest > 0 && rest % 1000 !== 0)) words += digits(rest);
  else if (rest > 0) words += `${rest / 1000}천`;
  return `${words}원`;
}

const UNITS = [
  [1e12, '조'],
  [1e8, '억'],
  [1e4, '만'],
] as const;

const digits = (n: number) => n.toLocaleString('ko-KR');
const groupOf = (n: number) => (n >= 1000 && n % 1000 === 0 ? `${n / 1000}천` : digits(n));
