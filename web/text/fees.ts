const FEE = /^\s*([a-z0-9._-]+)\s*:\s*(-?\d+(?:\.\d+)?)\s*$/i;

/** Taker fees by venue as a reader types them, `binance:2.4, bybit:3`, bps. Undefined where a part is none. */
export function feesOf(typed: string): ReadonlyMap<string, number> | undefined {
  const fees = new Map<string, number>();
  for (const part of typed.split(',')) {
    if (part.trim() === '') continue;
    const [, venue, bps] = FEE.exec(part) ?? [];
    if (venue === undefined) return undefined;
    fees.set(venue.toLowerCase(), Number(bps));
  }
  return fees;
}
