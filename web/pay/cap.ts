/** What a visitor lets this tab spend, and what it has spent: atomic units of a token with six decimals. */

const CAP = 'perpmeter-cap';
const SPENT = 'perpmeter-spent';
export const FIRST_CAP = '0.05';
const USD = /^\d{1,6}(?:\.\d{1,6})?$/;

/** US dollars as atomic units; undefined where the text is no amount. */
export function atomicOf(text: string): bigint | undefined {
  if (!USD.test(text.trim())) return undefined;
  const [whole = '0', part = ''] = text.trim().split('.');
  return BigInt(whole) * 1_000_000n + BigInt(part.padEnd(6, '0'));
}

export const capText = (): string => sessionStorage.getItem(CAP) ?? FIRST_CAP;
export const setCap = (text: string): void => sessionStorage.setItem(CAP, text);

const spent = (): bigint => BigInt(sessionStorage.getItem(SPENT) ?? '0');

/** What may still be spent; zero with a cap that is no amount. */
export function remaining(): bigint {
  const left = (atomicOf(capText()) ?? 0n) - spent();
  return left > 0n ? left : 0n;
}

/** Counts what was signed, before it is sent: it may be taken from then on. */
export function spend(atomic: bigint): void {
  sessionStorage.setItem(SPENT, String(spent() + atomic));
}
