/** A text, or a whole number of sixteen digits or more outside of texts. */
const LONG_NUMBERS = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;
/** A value that begins with so many digits; texts begin with a quotation mark. */
const LONG_VALUE = /[[:,]\s*-?\d{16}/;

const keepDigits = (found: string): string =>
  found.startsWith('"') || Number.isSafeInteger(Number(found)) ? found : `"${found}"`;

/**
 * Parses JSON and keeps whole numbers above 2^53 as text, digit by digit: two trades of one frame may differ in the last
 * digit of their ids alone.
 *
 * @throws SyntaxError where the text is no JSON
 */
export function parseFrame(text: string): unknown {
  return JSON.parse(LONG_VALUE.test(text) ? text.replace(LONG_NUMBERS, keepDigits) : text);
}
