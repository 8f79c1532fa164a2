export interface Rate {
  readonly canonical_id: string;
  readonly symbol: string;
  readonly venue: string;
  readonly rate_8h: number | null;
  readonly open_interest: number | null;
  readonly uncomparable_reason?: string;
}

export interface Fee {
  readonly name: string;
  readonly taker_fee_bps: number | null;
}

/** The ticker whose spread, held for seven days, leaves most after fees; by the numbers of the interface alone. */
export function widestNet(rates: readonly Rate[], venues: readonly Fee[]): string {
  const fee = new Map(venues.map(({ name, taker_fee_bps }) => [name, taker_fee_bps ?? Number.NaN]));
  const crypto = rates.filter(({ canonical_id: id }) => id.startsWith('crypto:'));
  const nets = [...new Set(crypto.map(({ canonical_id: id }) => id))].map((id) => {
    const own = crypto.filter((row) => row.canonical_id === id);
    const legs = own
      .filter((row) => row.rate_8h !== null && row.uncomparable_reason === undefined)
      .sort((a, b) => Number(a.rate_8h) - Number(b.rate_8h));
    const low = legs[0];
    const high = legs.at(-1);
    const size = own.reduce((sum, row) => sum + (row.open_interest ?? 0), 0);
    const fees = (fee.get(low?.venue ?? '') ?? 0) + (fee.get(high?.venue ?? '') ?? 0);
    const spread = Number(high?.rate_8h) - Number(low?.rate_8h);
    const net = legs.length < 2 || size < 1e6 ? Number.NEGATIVE_INFINITY : spread * 1e4 * 21 - 2 * fees;
    return { ticker: own[0]?.symbol ?? '', net };
  });
  return nets.sort((a, b) => b.net - a.net)[0]?.ticker ?? '';
}
