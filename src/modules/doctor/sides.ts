import type { PublishedAmount, Sides } from '../../domain/amount.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { DAY_MS } from '../../runtime/duration.ts';
import type { VenueProbe } from './venue-probe.ts';

/** Of so many contracts, so many show an odd count. */
export interface Parity {
  readonly counted: number;
  readonly odd: number;
}

/** The evidence of the numbers for one figure, beside the adapter's declaration. */
export interface SidesVerdict {
  readonly declared: Sides;
  /** The evidence of the numbers; undefined where they leave it open. */
  readonly shown: 'one' | 'two' | undefined;
  readonly verdict: 'supports' | 'contradicts' | 'undecided';
  /** Counts in lots of the first look, and of what changed up to the second. */
  readonly values: Parity;
  readonly changes: Parity;
  /** Of `counted` quiet contracts, `odd` changed by more than was traded. Open interest only. */
  readonly overTraded: Parity;
  readonly why: string;
}

/** One bulk answer decides from so many contracts on. */
const MIN_COUNTED = 30;
/**
 * Without the venue's lot the finest digit that shows stands for it. Where the last digit of an even count is 0 it is
 * not seen, so one even count in nine looks odd; of one-sided counts five in nine do. The bounds lie between.
 */
const EVEN_SHARE = 1 / 6;
const ODD_SHARE = 0.35;
/** Change of open interest over what was traded, above the noise of two calls not asked at one moment. */
const OVER = 1.25;
const MIN_OVER = 3;
/** Volume that came in a gap, over what usually leaves the rolling day in it: then nearly all of it was traded. */
const BURST = 5;

/** Digits of a number without sign and point, and how many of them stand behind the point; none for odd spellings. */
function digitsOf(value: number): { readonly digits: string; readonly places: number } | undefined {
  // Sums of a venue's two fields carry the error of their binary form beyond this.
  const text = String(Number(Math.abs(value).toPrecision(14)));
  if (text.includes('e') || value === 0) return undefined;
  const [whole = '', fraction = ''] = text.split('.');
  const trimmed = fraction === '' ? whole.replace(/0+$/, '') : whole + fraction;
  return { digits: trimmed, places: fraction === '' ? trimmed.length - whole.length : fraction.length };
}

/** True if the count of `10^-places` in a value is odd; false where the value has no digit there. */
function isOdd(value: number, places: number): boolean {
  const read = digitsOf(value);
  const digit = read?.digits[read.digits.length - 1 + (places - read.places)];
  return read !== undefined && read.places >= places && digit !== undefined && Number(digit) % 2 === 1;
}

/**
 * Parity of the values of many contracts in lots, and of their changes. A contract's lot is the finest digit that its
 * values show.
 */
export function parityOf(looks: readonly (readonly [first: number, second: number | undefined])[]): {
  readonly values: Parity;
  readonly changes: Parity;
} {
  const values = { counted: 0, odd: 0 };
  const changes = { counted: 0, odd: 0 };
  for (const [first, second] of looks) {
    const places = [first, second ?? 0].flatMap((value) => digitsOf(value)?.places ?? []);
    if (places.length === 0 || first === 0) continue;
    const finest = Math.max(...places);
    const odd = isOdd(first, finest);
    values.counted++;
    if (odd) values.odd++;
    if (second === undefined || second === first || second === 0) continue;
    changes.counted++;
    if (odd !== isOdd(second, finest)) changes.odd++;
  }
  return { values, changes };
}

const share = ({ odd, counted }: Parity): number => odd / counted;
const showsEven = (p: Parity): boolean => p.counted >= MIN_COUNTED && share(p) <= EVEN_SHARE;
const showsOdd = (p: Parity): boolean => p.counted >= MIN_COUNTED && share(p) >= ODD_SHARE;
const describe = (p: Parity, of: string): string => `${p.odd} of ${p.counted} ${of}`;

/**
 * Judges by parity and changes. Each trade adds the same to both sides, so a two-sided volume is even in lots;
 * so is two-sided open interest, but for a rest that stands with the venue's own engine: there odd values prove
 * nothing, and the changes decide.
 */
export function judgeSides(
  figure: 'open interest' | 'volume',
  { sides: declared, unit }: Pick<PublishedAmount, 'sides' | 'unit'>,
  seen: Pick<SidesVerdict, 'values' | 'changes' | 'overTraded'>,
): SidesVerdict {
  const open = { ...seen, declared, shown: undefined, verdict: 'undecided' } as const;
  if (unit === 'quote' || unit === 'mixed') return { ...open, why: `no lots to count in: unit is ${unit}` };
  const { values, changes, overTraded } = seen;
  const [shown, why] = shownBy(figure, values, changes, overTraded);
  if (shown === undefined || declared === 'unknown') return { ...open, shown, why };
  return { ...open, shown, verdict: shown === declared ? 'supports' : 'contradicts', why };
}

function shownBy(
  figure: 'open interest' | 'volume',
  values: Parity,
  changes: Parity,
  over: Parity,
): readonly ['one' | 'two' | undefined, string] {
  if (showsEven(values)) return ['two', `${describe(values, 'values odd in lots')}`];
  if (showsEven(changes)) return ['two', `${describe(changes, 'changes odd in lots')}, with an odd rest`];
  if (over.odd >= MIN_OVER && share(over) >= EVEN_SHARE) {
    return ['two', describe(over, 'quiet contracts changed by more than was traded')];
  }
  if (showsOdd(changes)) return ['one', describe(changes, 'changes odd in lots')];
  if (showsOdd(values) && figure === 'volume') return ['one', describe(values, 'values odd in lots')];
  if (showsOdd(values))
    return [undefined, `${describe(values, 'values odd in lots')}: one side, or an odd rest`];
  return [undefined, `${describe(values, 'values odd')}: too few to tell`];
}

/** Verdicts on both figures of a venue. */
export function sidesOf(probe: VenueProbe): Readonly<Record<'openInterest' | 'volume', SidesVerdict>> {
  const { openInterest, volume } = probe.adapter;
  const none = { counted: 0, odd: 0 };
  const parity = (field: 'openInterestRaw' | 'volume24hRaw') => parityOf(looksOf(probe, field));
  return {
    openInterest: judgeSides('open interest', openInterest, {
      ...parity('openInterestRaw'),
      overTraded: changedOverTraded(probe),
    }),
    // Volume that leaves the rolling day is not the one that came in, so its changes are as good as its values
    // and no better.
    volume: judgeSides('volume', volume, { ...parity('volume24hRaw'), overTraded: none }),
  };
}

function looksOf({ rounds: [first, second] }: VenueProbe, field: 'openInterestRaw' | 'volume24hRaw') {
  return [...first].flatMap(([symbol, quote]) => {
    const value = quote[field];
    return value === undefined ? [] : [[value, second.get(symbol)?.[field]] as const];
  });
}

function changedOverTraded({ rounds: [first, second], gapMs = 0 }: VenueProbe): Parity {
  const found = { counted: 0, odd: 0 };
  for (const [symbol, before] of first) {
    const after = second.get(symbol);
    if (after === undefined) continue;
    const isOver = exceedsTrade(before, after, gapMs);
    if (isOver === undefined) continue;
    found.counted++;
    if (isOver) found.odd++;
  }
  return found;
}

function exceedsTrade(before: QuotePatch, after: QuotePatch, gapMs: number): boolean | undefined {
  const change = Math.abs((after.openInterestBase ?? Number.NaN) - (before.openInterestBase ?? Number.NaN));
  const day = before.volume24hBase ?? Number.NaN;
  const traded = (after.volume24hBase ?? Number.NaN) - day;
  const usual = (day * gapMs) / DAY_MS;
  if (!(change > 0) || !(traded > BURST * usual)) return undefined;
  return change > OVER * traded;
}
