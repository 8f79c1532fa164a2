import { lowerAscii } from '../../domain/ascii-case.ts';
import { readDate, readEpoch } from '../../domain/date.ts';
import { nearestWords } from '../../domain/nearest.ts';
import type { Declared } from './declared.ts';

/**
 * Words that people and models write where another value is meant. Nothing of it is answered: it is named as
 * what to ask.
 */

const VENUE_WORDS: ReadonlySet<string> = new Set(['venue', 'venues', 'exchange', 'exchanges', 'platforms']);

/** True if a name asks for some venues where the closest known name is no venue. */
export function isAboutVenues(typed: string, closest: string | undefined): boolean {
  return VENUE_WORDS.has(lowerAscii(typed)) && closest?.includes('venue') !== true;
}

const THOUSANDS = /^\d{1,3}(?:[,_ ]\d{3})+(?:\.\d+)?$/;
const BRACKETS = /^\[(.*)\]$/;

/** The first of several values that were sent as one; undefined where it is one value. */
export function firstOfList({ type }: Declared, text: string): string | undefined {
  if (text.length > 256 || !/[,;|]/.test(text) || (type !== 'string' && THOUSANDS.test(text)))
    return undefined;
  const parts = (BRACKETS.exec(text)?.[1] ?? text)
    .split(/[,;|]/)
    .map((part) => part.replace(/["']/g, '').trim());
  return parts.length > 1 && parts.every((part) => part !== '') ? parts[0] : undefined;
}

const WORDS: Readonly<Record<string, string>> = {
  long: 'buy',
  bid: 'buy',
  short: 'sell',
  ask: 'sell',
  hourly: '1h',
  daily: '1d',
  yes: 'true',
  on: 'true',
  '1': 'true',
  no: 'false',
  off: 'false',
  '0': 'false',
};
const MINUTES: Readonly<Record<string, number>> = {
  '': 1,
  m: 1,
  min: 1,
  h: 60,
  hour: 60,
  d: 1440,
  day: 1440,
  w: 10_080,
};
const DURATION = /^(\d{1,5})\s*(m|min|h|hour|d|day|w|)s?$/;

/** Minutes of `4h`, `1day` or `240`, which is how charts name their bars. */
function minutesOf(text: string): number | undefined {
  const [, count, unit = ''] = DURATION.exec(lowerAscii(text)) ?? [];
  const each = MINUTES[unit];
  return count === undefined || each === undefined || Number(count) === 0 ? undefined : Number(count) * each;
}

function closestBy(value: number, words: readonly string[], sizeOf: (word: string) => number | undefined) {
  const far = (word: string): number => Math.abs(Math.log((sizeOf(word) ?? 0) / value));
  return words.filter((word) => sizeOf(word) !== undefined).sort((a, b) => far(a) - far(b))[0];
}

function meantWord(words: readonly string[], text: string): string | undefined {
  const word = lowerAscii(text.trim());
  const same = words.find((known) => lowerAscii(known) === (WORDS[word] ?? word));
  if (same !== undefined) return same;
  const minutes = minutesOf(word);
  const byLength = minutes === undefined ? undefined : closestBy(minutes, words, minutesOf);
  return byLength ?? nearestWords(word, words, 1, Math.floor(word.length / 2))[0];
}

const AMOUNT =
  /^\$?\s*(-?\d[\d,_ ]*(?:\.\d+)?(?:e\d{1,2})?)\s*(k|m|mio|bps?|%|x|h|hours?|d|days?|)\s*(?:\$|usd[tc]?)?$/;
const FACTORS: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, mio: 1e6 };
/** Basis points of one, by unit. */
const IN_BPS: Readonly<Record<string, number>> = { bp: 1, bps: 1, '%': 100 };

/** Basis points in one unit of the parameter, by how its name ends; a plain one is a fraction. */
const bpsOfUnit = (name: string): number =>
  name.endsWith('_bps') ? 1 : name.endsWith('_pct') ? 100 : 10_000;

function factorOf(name: string, unit: string): number {
  const bps = IN_BPS[unit];
  if (bps !== undefined) return bps / bpsOfUnit(name);
  if (unit.startsWith('d')) return name.includes('hours') ? 24 : 1;
  return FACTORS[unit] ?? 1;
}

function meantNumber(name: string, declared: Declared, text: string): string | undefined {
  const [, digits, unit = ''] = AMOUNT.exec(lowerAscii(text.trim())) ?? [];
  if (digits === undefined) return undefined;
  const stated = Number(digits.replace(/[,_ ]/g, ''));
  const value = Number((stated * factorOf(name, unit)).toPrecision(12));
  if (!Number.isFinite(value)) return undefined;
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, type } = declared;
  if (declared.enum !== undefined)
    return value > 0 ? closestBy(value, declared.enum.map(String), Number) : undefined;
  const within = Math.min(Math.max(value, minimum), maximum);
  return String(type === 'integer' ? Math.round(within) : within);
}

const SLASHED_DAY = /^(\d{4})[/.]?(\d{2})[/.]?(\d{2})$/;
const FINE_EPOCH = /^(\d{13})(?:\d{3}|\d{6})$/;

function meantTime(text: string): string | undefined {
  const [, year, month, day] = SLASHED_DAY.exec(text.trim()) ?? [];
  const meant = year === undefined ? (FINE_EPOCH.exec(text)?.[1] ?? text.trim()) : `${year}-${month}-${day}`;
  return readDate(meant) === undefined && readEpoch(meant) === undefined ? undefined : meant;
}

/** The value that a text which is refused seems to mean, as it is to be sent; undefined where none does. */
export function meantValue(name: string, declared: Declared, text: string): string | undefined {
  const { type, format } = declared;
  if (text.length > 64) return undefined;
  if (type === 'boolean') return meantWord(['true', 'false'], text);
  if (type !== 'string') return meantNumber(name, declared, text);
  if (declared.enum !== undefined) return meantWord(declared.enum.map(String), text);
  return format === 'date-time' ? meantTime(text) : undefined;
}
