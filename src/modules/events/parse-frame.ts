/** A text, or a whole number of sixteen digits or more outside of texts. */
const LONG_NUMBERS = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;
const SIXTEEN_DIGITS = /\d{16}/;

const keepDigits = (found: string): string =>
  found.startsWith('"') || Number.isSafeInteger(Number(found)) ? found : `"${found}"`;

/**
 * Parses JSON and keeps whole numbers above 2^53 as text, digit by digit: two trades of one frame may differ in the last
 * digit of their ids alone.
 *
 * @throws SyntaxError where the text is no JSON
 */
export function parseFrame(text: string): unknown {
  return JSON.parse(SIXTEEN_DIGITS.test(text) ? text.replace(LONG_NUMBERS, keepDigits) : text);
}
