/** Cells of a tab-separated line as the engine reads it. */

export const NO_VALUE = '\\N';

const SPECIAL = /[\\\t\n\r\b\f\0]/g;
const ESCAPED: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\b': '\\b',
  '\f': '\\f',
  '\0': '\\0',
};

/** A text, with what the format takes for its own escaped. */
export function textCell(text: string): string {
  return text.replace(SPECIAL, (char) => ESCAPED[char] ?? char);
}

/** A number, or no value where it is unknown. */
export function numberCell(x: number | undefined): string {
  return x === undefined || !Number.isFinite(x) ? NO_VALUE : String(x);
}

/** A time in whole seconds. */
export function secondsCell(ms: number): string {
  return String(Math.floor(ms / 1000));
}

/** A number with a fixed count of decimals, or no value. */
export function fixedCell(x: number | undefined, decimals: number): string {
  return x === undefined || !Number.isFinite(x) ? NO_VALUE : x.toFixed(decimals);
}
