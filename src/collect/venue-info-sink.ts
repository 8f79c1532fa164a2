import type { Instrument } from '../domain/instrument.ts';
import type { ListReport } from '../domain/list-report.ts';
import type { QuotePatch } from '../domain/quote.ts';
import type { Bps, UnixMs } from '../domain/units.ts';
import type { VenueId, VenueInfo } from '../domain/venue.ts';
import type { DataStore, MarketSink } from './ports.ts';

/**
 * Passes one venue's data on, and says of the venue what only its data can tell: the usual taker fee, and that it
 * has an index. For venues that nobody has described.
 */
export class VenueInfoSink implements MarketSink {
  readonly #sink: MarketSink;
  #info: VenueInfo | undefined;
  #refreshMs = 0;

  constructor(sink: MarketSink) {
    this.#sink = sink;
  }

  venue(info: VenueInfo, refreshMs: number): void {
    this.#info = info;
    this.#refreshMs = refreshMs;
    this.#sink.venue(info, refreshMs);
  }

  instruments(venue: VenueId, list: readonly Instrument[], at: UnixMs, report?: ListReport): void {
    const usual = mostCommon(list.flatMap(({ takerFeeBps }) => takerFeeBps ?? []));
    if (usual !== undefined && usual !== this.#info?.takerFeeBps) this.#learn({ takerFeeBps: usual });
    this.#sink.instruments(
      venue,
      list.map((instrument) => withoutFee(instrument, usual)),
      at,
      report,
    );
  }

  quotes(venue: VenueId, patches: readonly QuotePatch[], at: UnixMs): void {
    if (this.#info?.hasIndex === false && patches.some(hasIndexOfItsOwn)) this.#learn({ hasIndex: true });
    this.#sink.quotes(venue, patches, at);
  }

  get stores(): readonly DataStore[] {
    return this.#sink.stores ?? [];
  }

  #learn(facts: Partial<VenueInfo>): void {
    if (this.#info !== undefined) this.venue({ ...this.#info, ...facts }, this.#refreshMs);
  }
}

/** An index that repeats the mark is none. */
function hasIndexOfItsOwn({ indexPrice, markPrice }: QuotePatch): boolean {
  return indexPrice !== undefined && indexPrice !== markPrice;
}

/** The fee stays with a contract only where it differs from the usual one. */
function withoutFee(instrument: Instrument, usual: Bps | undefined): Instrument {
  if (usual === undefined || instrument.takerFeeBps !== usual) return instrument;
  const { takerFeeBps: _usual, ...rest } = instrument;
  return rest;
}

function mostCommon(fees: readonly Bps[]): Bps | undefined {
  const counts = new Map<Bps, number>();
  for (const fee of fees) counts.set(fee, (counts.get(fee) ?? 0) + 1);
  return [...counts].reduce<[Bps, number] | undefined>(
    (best, entry) => (best === undefined || entry[1] > best[1] ? entry : best),
    undefined,
  )?.[0];
}
