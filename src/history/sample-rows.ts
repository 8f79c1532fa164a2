import { fixedCell, NO_VALUE, numberCell, secondsCell, textCell } from './cell.ts';
import { scaleOf, toMantissa } from './decimal.ts';
import type { Contract, Sample, Settlement } from './sample.ts';

/** Columns of a sample's line, in its order. */
export const SAMPLE_COLUMNS: readonly string[] = [
  'canonical_id',
  'venue',
  'symbol',
  'listed_at',
  'ticker',
  'ts',
  'origin',
  'recorded_at',
  'comparable',
  'interval_hours',
  'rate_e',
  'price_e',
  'oi_raw_e',
  'oi_e',
  'oi_usd_e',
  'volume_e',
  'volume_usd_e',
  'rate_m',
  'mark_m',
  'index_m',
  'bid_m',
  'ask_m',
  'oi_raw_m',
  'oi_m',
  'oi_usd_m',
  'volume_m',
  'volume_usd_m',
  'bid_depth_usd',
  'ask_depth_usd',
  'slippage_1k_bps',
  'slippage_5k_bps',
  'slippage_10k_bps',
  'row_age_ms',
  'rate_lag_ms',
  'oi_lag_ms',
  'volume_lag_ms',
  'rate_fresh',
  'quote',
  'multiplier',
];

export const SETTLEMENT_COLUMNS: readonly string[] = [
  'canonical_id',
  'venue',
  'symbol',
  'listed_at',
  'ts',
  'origin',
  'recorded_at',
  'interval_hours',
  'rate',
  'mark_price',
];

/** A time of recording, to the millisecond. */
export function recordedCell(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** A pair of which one may be the other times the mark: that one is left out, and follows again when read. */
function statedPair(
  base: number | undefined,
  usd: number | undefined,
  mark: number | undefined,
): readonly [base: number | undefined, usd: number | undefined] {
  if (base === undefined || usd === undefined || mark === undefined) return [base, usd];
  if (base * mark === usd) return [base, undefined];
  if (usd / mark === base) return [undefined, usd];
  return [base, usd];
}

/** Kinds of values that share a number of decimals. */
const KINDS = 7;

interface Known {
  readonly contract: Contract;
  readonly identity: string;
  readonly scales: Uint8Array;
}

/**
 * Writes samples as lines. It remembers the decimals of each contract: a steady scale is what makes neighbouring
 * values alike on the disk. Call `forget` now and then, so that one odd value does not last.
 */
export class SampleEncoder {
  readonly #known = new Map<string, Map<string, Known>>();

  forget(): void {
    this.#known.clear();
  }

  /** @param recordedAt when the value became known to this service */
  line(sample: Sample, recordedAt: number): string {
    const { identity, scales } = this.#contract(sample);
    const mark = sample.markPrice;
    const [interest, interestUsd] = statedPair(sample.openInterestBase, sample.openInterestUsd, mark);
    const [volume, volumeUsd] = statedPair(sample.volume24hBase, sample.volume24hUsd, mark);
    const kinds: readonly (readonly (number | undefined)[])[] = [
      [sample.fundingRate],
      [mark, sample.indexPrice, sample.bestBid, sample.bestAsk],
      [sample.openInterestRaw],
      [interest],
      [interestUsd],
      [volume],
      [volumeUsd],
    ];
    const mantissas: string[] = [];
    for (const [kind, values] of kinds.entries()) {
      const scale = scaleOf(values, scales[kind]);
      scales[kind] = scale;
      for (const x of values) mantissas.push(numberCell(toMantissa(x, scale)));
    }
    const cells = [
      identity,
      secondsCell(sample.at),
      sample.origin,
      recordedCell(recordedAt),
      sample.comparable ? '1' : '0',
      numberCell(sample.fundingIntervalHours),
      scales.join('\t'),
      mantissas.join('\t'),
      depthCells(sample),
      shownCells(sample),
    ];
    return cells.join('\t');
  }

  #contract(contract: Contract): Known {
    let venue = this.#known.get(contract.venue);
    if (venue === undefined) {
      venue = new Map();
      this.#known.set(contract.venue, venue);
    }
    const known = venue.get(contract.symbol);
    if (known !== undefined && sameContract(known.contract, contract)) return known;
    const { canonicalId, venue: venueId, symbol, listedAt, ticker } = contract;
    const made: Known = {
      contract: { canonicalId, venue: venueId, symbol, listedAt, ticker },
      identity: `${contractCells(contract)}\t${textCell(ticker)}`,
      scales: new Uint8Array(KINDS),
    };
    venue.set(symbol, made);
    return made;
  }
}

function sameContract(a: Contract, b: Contract): boolean {
  return a.canonicalId === b.canonicalId && a.listedAt === b.listedAt && a.ticker === b.ticker;
}

function contractCells({ canonicalId, venue, symbol, listedAt }: Contract): string {
  return [textCell(canonicalId), textCell(venue), textCell(symbol), secondsCell(listedAt)].join('\t');
}

const NO_DEPTH = Array.from({ length: 5 }, () => NO_VALUE).join('\t');
/** Largest slippage that is written; more than the whole price says nothing. */
const MAX_SLIPPAGE_BPS = 10_000;
/** Largest depth: the column has 18 digits, and nobody's book has so much. */
const MAX_DEPTH_USD = 1e17;

/** The engine refuses a number that its column has no room for, and with it every row of the statement. */
const within = (x: number | undefined, most: number): number | undefined =>
  x !== undefined && Math.abs(x) <= most ? x : undefined;

function depthCells({ depth }: Sample): string {
  if (depth === undefined) return NO_DEPTH;
  const slippages = [depth.slippage1kBps, depth.slippage5kBps, depth.slippage10kBps];
  return [
    ...[depth.bidDepthUsd, depth.askDepthUsd].map((usd) => fixedCell(within(usd, MAX_DEPTH_USD), 0)),
    ...slippages.map((bps) => fixedCell(within(bps, MAX_SLIPPAGE_BPS), 4)),
  ].join('\t');
}

/** 24 days: the column has no room for more, and what is older reads as so old. */
const MAX_LAG_MS = 2 ** 31 - 1;
const lagCell = (ms: number): string => numberCell(Math.max(-MAX_LAG_MS, Math.min(MAX_LAG_MS, ms)));

const NOTHING_SHOWN = [NO_VALUE, NO_VALUE, NO_VALUE, NO_VALUE, '0', '', '0'].join('\t');

/** Times are kept as what they lie before the sample, and before one another: mostly they are the same. */
function shownCells({ at, shown }: Sample): string {
  if (shown === undefined) return NOTHING_SHOWN;
  const { fundingUpdatedAt, openInterestUpdatedAt, volumeUpdatedAt, rateFresh, quote, multiplier } = shown;
  // Venues state parts of milliseconds, which no answer shows.
  const updatedAt = Math.floor(shown.updatedAt);
  const lags = [fundingUpdatedAt, openInterestUpdatedAt, volumeUpdatedAt].map((time) =>
    time === undefined ? NO_VALUE : lagCell(updatedAt - Math.floor(time)),
  );
  return [
    lagCell(at - updatedAt),
    ...lags,
    rateFresh ? '1' : '0',
    textCell(quote),
    numberCell(multiplier),
  ].join('\t');
}

/** A settlement as a line. */
export function settlementLine(settlement: Settlement, recordedAt: number): string {
  return [
    contractCells(settlement),
    secondsCell(settlement.at),
    settlement.origin,
    recordedCell(recordedAt),
    numberCell(settlement.intervalHours),
    numberCell(settlement.rate),
    numberCell(settlement.markPrice),
  ].join('\t');
}
