/** Digits after the point of the settlement asset: one US dollar is 1,000,000 atomic units. */
const ASSET_DECIMALS = 6;

const USD = /^(0|[1-9]\d{0,8})(?:\.(\d{1,6}))?$/;

/**
 * Atomic units of a USD price written as decimal text: usd x 1,000,000, exactly. Works on the digits, never on
 * floating point. Undefined for anything but a plain non-negative decimal with at most six digits after the point.
 */
export function atomicAmount(usd: unknown): bigint | undefined {
  if (typeof usd !== 'string') return undefined;
  const match = USD.exec(usd);
  if (match === null) return undefined;
  return BigInt((match[1] ?? '0') + (match[2] ?? '').padEnd(ASSET_DECIMALS, '0'));
}

/** The USD text of an atomic amount, without trailing zeros: 1000n is `0.001`. */
export function usdText(atomic: bigint): string {
  const digits = atomic.toString().padStart(ASSET_DECIMALS + 1, '0');
  const fraction = digits.slice(-ASSET_DECIMALS).replace(/0+$/, '');
  const whole = digits.slice(0, -ASSET_DECIMALS);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
