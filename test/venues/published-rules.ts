import { type Published, type PublishedAmount, singleSideFactor } from '../../src/domain/amount.ts';
import type { QuotePatch } from '../../src/domain/quote.ts';
import {
  agreesWithMark,
  finestLot,
  isPlausibleTurnover,
  type Parity,
  parityOf,
  provenSides,
  sumParity,
} from './parity.ts';

/** The readings of one contract at some moments. */
export interface ReadContract {
  readonly multiplier: number;
  /** Base units as named in one contract. */
  readonly contractSize: number;
  /** Contracts in one lot, where it is known otherwise than by the amounts. */
  readonly lot?: number;
  readonly quotes: readonly QuotePatch[];
}

type Figure = 'openInterest' | 'volume';

const FIELDS = {
  openInterest: { raw: 'openInterestRaw', base: 'openInterestBase', usd: 'openInterestUsd' },
  volume: { raw: 'volume24hRaw', base: 'volume24hBase', usd: 'volume24hUsd' },
} as const;

/** Shortest decimal text of a double that went through a factor and back. */
const settled = (x: number): number => Number(x.toPrecision(13));

/** The venue's own counts of a figure, in contracts where it counts them and in base units as named where not. */
function ownCounts(figure: Figure, readAs: PublishedAmount, { multiplier, quotes }: ReadContract): number[] {
  const { raw, base } = FIELDS[figure];
  return quotes.flatMap((quote) => {
    const own = readAs.unit === 'contracts' || readAs.unit === 'base' ? quote[raw] : undefined;
    const counted = quote[base];
    if (own !== undefined) return [own];
    if (counted === undefined || readAs.unit !== 'quote') return [];
    return [settled(counted / multiplier / singleSideFactor(readAs))];
  });
}

/** Parity of a figure over contracts; a quotient of quote currency and price, which has no lots, is left out. */
function parityOver(figure: Figure, readAs: PublishedAmount, contracts: readonly ReadContract[]): Parity {
  return sumParity(
    contracts.map((contract) => {
      const counts = ownCounts(figure, readAs, contract);
      const { lot, contractSize } = contract;
      const inOwn =
        lot === undefined ? finestLot(counts) : lot * (readAs.unit === 'contracts' ? 1 : contractSize);
      return inOwn < 1e-12 ? { even: 0, odd: 0 } : parityOf(counts, inOwn);
    }),
  );
}

function sidesProblem(
  figure: Figure,
  of: PublishedAmount,
  contracts: readonly ReadContract[],
  readAs: PublishedAmount,
): readonly string[] {
  const isLotStated = contracts.every(({ lot }) => lot !== undefined);
  const parity = parityOver(figure, readAs, contracts);
  const proven = provenSides(figure, parity, isLotStated);
  if (proven === 'unknown' || of.sides === 'unknown' || proven === of.sides) return [];
  return [
    `${figure} is declared ${of.sides}-sided, its lots (${parity.even} even, ${parity.odd} odd) say ${proven}`,
  ];
}

function unitProblems(figure: Figure, quote: QuotePatch): string[] {
  const { base, usd } = FIELDS[figure];
  const amount = quote[base];
  const notional = quote[usd];
  const mark = quote.markPrice;
  if (amount === undefined || notional === undefined || mark === undefined) return [];
  return agreesWithMark(amount, notional, mark)
    ? []
    : [`${quote.symbol}: ${figure} of ${amount} base units is no ${notional} USD at ${mark}`];
}

function turnoverProblem(quote: QuotePatch): string[] {
  const { volume24hBase: traded, openInterestBase: open, volume24hUsd: usd, markPrice: mark } = quote;
  const base = traded ?? (usd === undefined || mark === undefined ? undefined : usd / mark);
  if (base === undefined || open === undefined || isPlausibleTurnover(base, open)) return [];
  return [`${quote.symbol}: ${base} traded in a day of ${open} open`];
}

/**
 * Contradictions between payloads and the venue's declaration.
 *
 * @param readAs the declaration that they were decoded by
 */
export function contradictions(
  declared: Published,
  contracts: readonly ReadContract[],
  readAs = declared,
): readonly string[] {
  const quotes = contracts.flatMap((contract) => contract.quotes);
  return [
    ...sidesProblem('openInterest', declared.openInterest, contracts, readAs.openInterest),
    ...sidesProblem('volume', declared.volume, contracts, readAs.volume),
    ...quotes.flatMap((quote) => unitProblems('openInterest', quote)),
    ...quotes.flatMap((quote) => unitProblems('volume', quote)),
    ...quotes.flatMap(turnoverProblem),
  ];
}

/**
 * The number of counts of a figure (a notional has none), and the number of those that are whole numbers of
 * lots.
 */
export function countsOf(
  figure: Figure,
  of: PublishedAmount,
  contracts: readonly ReadContract[],
): { readonly all: number; readonly onLots: number } {
  const counts = contracts.flatMap((contract) => ownCounts(figure, of, contract));
  const { even, odd } = parityOver(figure, of, contracts);
  return { all: counts.filter((count) => count > 0).length, onLots: even + odd };
}
