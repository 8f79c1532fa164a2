/**
 * Numbers as they leave the service: at most ten significant digits, US dollars to the cent (four places below one),
 * basis points to four places. The places behind that are noise of binary arithmetic, not of any market.
 */

const DIGITS = 10;
const USD_PLACES = 2;
const USD_PLACES_BELOW_ONE = 4;
const BPS_PLACES = 4;
/** Powers of ten that a double holds exactly. */
const POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
/** From here on doubles have hardly a place behind the point. */
const WHOLE_FROM = 1e15;
const power = (exponent: number): number => POWERS[exponent] ?? Number(`1e${exponent}`);

type Rounding = (x: number) => number;

/** To a number of decimal places; negative ones are tens, hundreds … Halves go away from zero. */
function toPlaces(x: number, places: number): number {
  if (Math.abs(x) >= WHOLE_FROM) return x;
  const whole = Math.round(places >= 0 ? Math.abs(x) * power(places) : Math.abs(x) / power(-places));
  if (whole === 0) return 0;
  const size = places >= 0 ? whole / power(places) : whole * power(-places);
  return x < 0 ? -size : size;
}

/** To ten significant digits. */
export const significant: Rounding = (x) => {
  const size = Math.abs(x);
  if (Number.isInteger(x) && size < power(DIGITS)) return x;
  // Beyond what is exact in powers of ten, text is.
  if (!(size >= 1e-12 && size < WHOLE_FROM)) {
    const rounded = Number(x.toPrecision(DIGITS));
    // The largest doubles round up to none.
    return Number.isFinite(rounded) ? rounded : x;
  }
  let exponent = Math.floor(Math.log10(size));
  if (size < power(exponent)) exponent -= 1;
  return toPlaces(x, DIGITS - 1 - exponent);
};

/** To decimal places, or to ten significant digits where those end sooner: one rounding, since two could go the wrong way. */
const inPlaces = (x: number, places: number): number =>
  Number.isInteger(x) || Math.abs(x) >= power(DIGITS - places) ? significant(x) : toPlaces(x, places);

export const dollars: Rounding = (x) => inPlaces(x, Math.abs(x) < 1 ? USD_PLACES_BELOW_ONE : USD_PLACES);

export const basisPoints: Rounding = (x) => inPlaces(x, BPS_PLACES);

/** Fields in US dollars whose names do not end in `_usd`. */
const DOLLARS: ReadonlySet<string> = new Set(['volume_24h', 'open_interest']);

function roundingOf(field: string): Rounding {
  if (field.endsWith('_usd') || DOLLARS.has(field)) return dollars;
  return field.endsWith('_bps') ? basisPoints : significant;
}

/** Fields are few and rows are many. */
const roundings = new Map<string, Rounding>();

function ofField(field: string): Rounding {
  const known = roundings.get(field);
  if (known !== undefined) return known;
  const rounding = roundingOf(field);
  roundings.set(field, rounding);
  return rounding;
}

/** The same value with public numbers, told apart by the names of their fields; what needs no change is not copied. */
export function publicNumbers<Value>(value: Value, field?: string): Value;
export function publicNumbers(value: unknown, field = ''): unknown {
  if (typeof value === 'number') return ofField(field)(value);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? publicList(value, field) : publicFields(value);
}

function publicList(list: readonly unknown[], field: string): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const before = list[i];
    const after = publicNumbers(before, field);
    if (after === before) continue;
    copy ??= [...list];
    copy[i] = after;
  }
  return copy ?? list;
}

function publicFields(value: object): object {
  const fields: Readonly<Record<string, unknown>> = { ...value };
  let copy: Record<string, unknown> | undefined;
  for (const field in fields) {
    const before = fields[field];
    if (typeof before === 'string') continue;
    const after = publicNumbers(before, field);
    if (after === before) continue;
    copy ??= { ...fields };
    copy[field] = after;
  }
  return copy ?? value;
}
