import type { WatchAnswer } from '../../../../packages/client/src/routes.ts';
import { decimal, UNKNOWN } from '../../../../web/text/number.ts';

export type Condition = WatchAnswer['condition'];
export type Firing = WatchAnswer['firings'][number];

const FRACTION = 'fraction';
/** Beyond these digits a fraction times a hundred shows how floating point rounds. */
const DIGITS = 12;

const isFraction = ({ unit }: Condition): boolean => unit.startsWith(FRACTION);

type Value = WatchAnswer['values'][string];

/** A value in the unit of a condition, a fraction as percent; unknown is a dash. */
export function valueWords(condition: Condition, value: Value | undefined): string {
  if (value === null || value === undefined) return UNKNOWN;
  if (typeof value !== 'number') return String(value);
  return isFraction(condition) ? `${decimal(Number((value * 100).toPrecision(DIGITS)))} %` : decimal(value);
}

/** A level with its whole unit: `0.05 % per eight hours`. */
export function levelWords(condition: Condition, level: number): string {
  const unit = isFraction(condition) ? condition.unit.slice(FRACTION.length) : ` ${condition.unit}`;
  return `${valueWords(condition, level)}${unit}`;
}

function sideWords(condition: Condition): string {
  const { above, below } = condition;
  if (above !== undefined) return ` above ${levelWords(condition, above)}`;
  return below === undefined ? '' : ` below ${levelWords(condition, below)}`;
}

/** A condition in one line: `funding of BTC on binance above 0.05 % per eight hours`. */
export function conditionWords(condition: Condition): string {
  const { kind, ticker, venue, for_minutes } = condition;
  const asset = ticker === undefined ? '' : ` of ${ticker}`;
  const where = venue === undefined ? '' : ` on ${venue.replaceAll(',', ', ')}`;
  const held = for_minutes === 0 ? '' : `, for ${for_minutes} min`;
  return `${kind.replaceAll('_', ' ')}${asset}${where}${sideWords(condition)}${held}`;
}

/** The value that a condition is judged by, as words; of an answer's part it stands under its last name. */
export function judgedWords(condition: Condition, values: WatchAnswer['values']): string {
  const { field } = condition;
  return valueWords(condition, values[field.split('.').at(-1) ?? field]);
}

const SAID: Readonly<Record<Firing['what'], string>> = {
  fired: 'Fired',
  cleared: 'Cleared',
  unknown: 'Unknown',
  known: 'Known again',
  ended: 'Ended',
};

/** A firing in one line. */
export function firingWords({ what, condition, values, reason }: Firing): string {
  const value = judgedWords(condition, values);
  const now = value === UNKNOWN ? '' : `, now ${value}`;
  const why = reason === null ? '' : ` (${reason})`;
  return `${SAID[what]}: ${conditionWords(condition)}${now}${why}`;
}
