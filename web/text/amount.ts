const AMOUNT = /^\$?\s*(-?\d[\d,_ ]*(?:\.\d+)?|-?\.\d+)\s*(k|m|mio|mln|b|bn|)\s*(?:\$|usd[tc]?)?$/i;
const FACTORS: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, mio: 1e6, mln: 1e6, b: 1e9, bn: 1e9 };

/** The number that a typed amount means: `20m` and `$20,000,000` are twenty million. Undefined where it is none. */
export function amountOf(typed: string): number | undefined {
  const [, digits, unit = ''] = AMOUNT.exec(typed.trim()) ?? [];
  if (digits === undefined) return undefined;
  const value = Number(digits.replace(/[,_ ]/g, '')) * (FACTORS[unit.toLowerCase()] ?? 1);
  return Number.isFinite(value) ? value : undefined;
}
