import { completeQuote } from '../../domain/complete.ts';
import { sizeOf } from '../../domain/factor.ts';
import { median } from '../../domain/median.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { Registry } from '../../market/registry/lookup.ts';
import { assetOf } from './check-contracts.ts';
import { type Check, type Finding, type Severity, someOf } from './finding.ts';
import type { VenueProbe } from './venue-probe.ts';

/** One contract, to be held against the same asset elsewhere. */
interface Row {
  readonly venue: VenueId;
  readonly symbol: string;
  readonly asset: string;
  readonly isCurated: boolean;
  readonly mark: number | undefined;
  readonly ratePerHour: number | undefined;
  readonly openUsd: number | undefined;
  readonly volumeUsd: number | undefined;
  /** Amount in base units x mark over the stated amount in USD. */
  readonly baseOverUsd: readonly [open: number, volume: number];
}

/** A row with the same asset's rows at other venues. */
interface Pair {
  readonly row: Row;
  readonly peers: readonly Row[];
}

/** A comparison needs so many other venues for an asset, and so many assets for a venue. */
const MIN_PEERS = 2;
const MIN_ASSETS = 5;
/** A mark may be off the others' median by this; from the second on it is another unit or another asset. */
const PRICE_OFF = 0.1;
const PRICE_WRONG = 2;
/** Largest rate of one interval that is no oddity: caps of most venues. */
const RATE_LIMIT = 0.05;
/** Rates of a venue as a whole against those of others: percent for a fraction is 100. */
const RATE_TIMES = 25;
/** Volume over open interest as a whole, against other venues and by itself. */
const TURNOVER_TIMES = 100;
const TURNOVER_RANGE = [0.003, 700] as const;
/** Open interest against the largest other venue: more than this for most assets is odd; far more is a unit. */
const OPEN_TIMES = 2;
const OPEN_WRONG = 20;
/** The same amount in two units; over a day the price moves by less. */
const UNITS_TIMES = 2;
/** Amounts below this say nothing. */
const MIN_USD = 1000;

/** Prices, rates, volume and open interest of every venue against the same assets at the others. */
export function compareVenues(visits: readonly VenueProbe[], registry: Registry): readonly Finding[] {
  const rows = visits.flatMap((probe) => rowsOf(probe, registry));
  const byAsset = new Map<string, Row[]>();
  for (const row of rows) byAsset.set(row.asset, [...(byAsset.get(row.asset) ?? []), row]);
  return visits.flatMap(({ adapter: { id } }) => {
    const own = rows.filter(({ venue }) => venue === id);
    const pairs = own.map((row) => ({
      row,
      peers: (byAsset.get(row.asset) ?? []).filter(({ venue }) => venue !== id),
    }));
    return [
      prices(pairs),
      extremes(visits, id),
      rates(pairs),
      twoUnits(own),
      turnover(own, pairs),
      openInterest(pairs),
    ]
      .flat()
      .map((said) => ({ venue: id, ...said }));
  });
}

function rowsOf(probe: VenueProbe, registry: Registry): readonly Row[] {
  return [...probe.rounds[0].values()].flatMap((patch) => {
    const instrument = probe.instruments.get(patch.symbol);
    const asset = instrument === undefined ? undefined : assetOf(registry, instrument, probe);
    if (instrument === undefined || asset === undefined) return [];
    const quote = completeQuote(patch);
    const hours = quote.fundingIntervalHours ?? instrument.fundingIntervalHours;
    const rate = quote.fundingRate;
    return {
      venue: probe.adapter.id,
      symbol: patch.symbol,
      asset: asset.id,
      isCurated: asset.isCurated,
      mark: quote.markPrice,
      ratePerHour: rate === undefined || hours === undefined ? undefined : Math.abs(rate) / hours,
      openUsd: quote.openInterestUsd,
      volumeUsd: quote.volume24hUsd,
      baseOverUsd: [inBase(quote, 'openInterest'), inBase(quote, 'volume24h')],
    };
  });
}

/** NaN or infinite where one of the two is not stated, or nothing. */
function inBase(quote: QuotePatch, figure: 'openInterest' | 'volume24h'): number {
  const { [`${figure}Base` as const]: base = Number.NaN, [`${figure}Usd` as const]: usd = 0 } = quote;
  return (base * (quote.markPrice ?? Number.NaN)) / usd;
}

interface Message {
  readonly check: Check;
  readonly severity: Severity;
  readonly at: string;
  readonly text: string;
}

/** The others' values of a number, where enough venues state it. */
function others({ peers }: Pair, of: (row: Row) => number | undefined): readonly number[] {
  const stating = peers.filter((row) => (of(row) ?? 0) > 0);
  if (new Set(stating.map(({ venue }) => venue)).size < MIN_PEERS) return [];
  return stating.flatMap((row) => of(row) ?? []);
}

/** Quotients of a number and the others' median, or whatever `against` makes of theirs, by contract. */
function quotients(
  pairs: readonly Pair[],
  of: (row: Row) => number | undefined,
  against: (values: readonly number[]) => number = median,
): readonly number[] {
  return pairs.flatMap((pair) => {
    const theirs = against(others(pair, of));
    const ours = of(pair.row);
    return !(theirs > 0) || ours === undefined || !(ours > 0) ? [] : [ours / theirs];
  });
}

const times = (factor: number): string => {
  const size = sizeOf(factor);
  return `${size >= 100 ? size.toFixed(0) : size.toPrecision(3)} times ${factor < 1 ? 'below' : 'above'}`;
};

const isOff = (factor: number, by: number): boolean => sizeOf(factor) > by;

function prices(pairs: readonly Pair[]): readonly Message[] {
  const off = pairs.flatMap((pair) => {
    const [factor] = quotients([pair], ({ mark }) => mark);
    return factor === undefined || Math.abs(factor - 1) <= PRICE_OFF ? [] : [{ row: pair.row, factor }];
  });
  if (off.length === 0) return [];
  const far = off.some(({ row, factor }) => row.isCurated && isOff(factor, PRICE_WRONG));
  const shown = off.map(({ row, factor }) => `${row.symbol} ${times(factor)} (${row.asset})`);
  const text = `${off.length} contracts beside the other venues' median: ${someOf(shown)}`;
  return [{ check: 'price', severity: far ? 'wrong' : 'look', at: 'mark price', text }];
}

function extremes(visits: readonly VenueProbe[], id: VenueId): readonly Message[] {
  const quotes = visits.find(({ adapter }) => adapter.id === id)?.rounds[0].values() ?? [];
  const far = [...quotes].filter(({ fundingRate = 0 }) => Math.abs(fundingRate) > RATE_LIMIT);
  if (far.length === 0) return [];
  const shown = far.map(({ symbol, fundingRate = 0 }) => `${symbol} ${(fundingRate * 100).toFixed(2)} %`);
  return [{ check: 'rate', severity: 'look', at: 'funding rate', text: `extreme: ${someOf(shown)}` }];
}

function rates(pairs: readonly Pair[]): readonly Message[] {
  const factors = quotients(pairs, ({ ratePerHour }) => ratePerHour);
  const factor = median(factors);
  if (factors.length < MIN_ASSETS || !isOff(factor, RATE_TIMES)) return [];
  const text = `rates an hour are ${times(factor)} those of other venues (${factors.length} contracts)`;
  return [{ check: 'rate', severity: 'wrong', at: 'funding rate', text }];
}

const turnoverOf = ({ openUsd = 0, volumeUsd = 0 }: Row): number | undefined =>
  openUsd > MIN_USD && volumeUsd > MIN_USD ? volumeUsd / openUsd : undefined;

/** Median of 24 h volume over open interest of a venue's contracts; undefined where too few state both. */
function medianTurnover(rows: readonly Row[]): number | undefined {
  const all = rows.flatMap((row) => turnoverOf(row) ?? []);
  return all.length < MIN_ASSETS ? undefined : median(all);
}

/** A venue that states an amount in base units and in quote currency states the same twice. */
function twoUnits(own: readonly Row[]): readonly Message[] {
  return (['open interest', '24 h volume'] as const).flatMap((at, i) => {
    const stated = own
      .map(({ baseOverUsd }) => baseOverUsd[i] ?? 0)
      .filter((x) => Number.isFinite(x) && x > 0);
    const factor = median(stated);
    if (stated.length < MIN_ASSETS || !isOff(factor, UNITS_TIMES)) return [];
    const text = `in base units, at the mark, ${times(factor)} the same in quote currency`;
    return [{ check: 'amounts', severity: 'wrong', at, text }];
  });
}

function turnover(own: readonly Row[], pairs: readonly Pair[]): readonly Message[] {
  const at = '24 h volume over open interest';
  const factors = quotients(pairs, turnoverOf);
  const factor = median(factors);
  if (factors.length >= MIN_ASSETS && isOff(factor, TURNOVER_TIMES)) {
    const text = `${times(factor)} other venues (${factors.length} contracts): the unit of one of them`;
    return [{ check: 'amounts', severity: 'wrong', at, text }];
  }
  const middle = medianTurnover(own);
  if (middle === undefined || (middle > TURNOVER_RANGE[0] && middle < TURNOVER_RANGE[1])) return [];
  const text = `median ${middle.toPrecision(3)}, plausible is ${TURNOVER_RANGE.join(' to ')}`;
  return [{ check: 'amounts', severity: 'wrong', at, text }];
}

function openInterest(pairs: readonly Pair[]): readonly Message[] {
  const of = ({ openUsd }: Row): number | undefined => ((openUsd ?? 0) > MIN_USD ? openUsd : undefined);
  const largest = (values: readonly number[]): number => Math.max(...values);
  const factors = quotients(pairs, of, largest);
  const factor = median(factors);
  if (factors.length < MIN_ASSETS || factor <= OPEN_TIMES) return [];
  const text = `${times(factor)} the largest other venue for most of ${factors.length} contracts`;
  const severity = factor > OPEN_WRONG ? 'wrong' : 'look';
  return [{ check: 'amounts', severity, at: 'open interest', text }];
}
