/** Six decimals, as USDC has. */
const UNIT = 1_000_000n;
const USD = /^(\d{1,12})(?:\.(\d{1,6}))?$/;

/** US dollars as decimal text in atomic units, digit by digit. @throws RangeError for what is no amount */
export function atomicOf(usd: string): bigint {
  const [, whole, part = ''] = USD.exec(usd.trim()) ?? [];
  if (whole === undefined) throw new RangeError(`"${usd}" is no amount in USD with at most six places`);
  return BigInt(whole) * UNIT + BigInt(part.padEnd(6, '0'));
}

/** Atomic units as decimal text: `0.005`. */
export function usdOf(atomic: bigint): string {
  const part = (atomic % UNIT).toString().padStart(6, '0').replace(/0+$/, '');
  return part === '' ? `${atomic / UNIT}` : `${atomic / UNIT}.${part}`;
}

/** The amounts from the least on. */
const inOrder = (amounts: readonly bigint[]): readonly bigint[] =>
  amounts.toSorted((a, b) => (a === b ? 0 : Number(a > b) * 2 - 1));

/** The least of two amounts or more. */
export const least = (first: bigint, ...others: readonly bigint[]): bigint =>
  inOrder([first, ...others])[0] ?? first;

/** The most of two amounts or more. */
export const most = (first: bigint, ...others: readonly bigint[]): bigint =>
  inOrder([first, ...others]).at(-1) ?? first;
