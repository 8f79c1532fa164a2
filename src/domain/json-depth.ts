/** Arrays and objects within each other that a venue's text may have at most: several times what any known answer has. */
export const MAX_JSON_DEPTH = 32;
/** The parser needs less than a millisecond for a text of this size, whatever it nests, bytes. */
const HARMLESS_BYTES = 16 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** With this bit an array's brackets have the codes of an object's. */
const BRACE_BIT = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * True if a text nests arrays and objects deeper than `MAX_JSON_DEPTH`, by a scan that stops there: the JSON
 * parser holds up everything else while it runs, which is seconds for megabytes of brackets. Brackets within
 * strings do not count.
 */
export function isNestedTooDeep(bytes: Uint8Array): boolean {
  if (bytes.length <= HARMLESS_BYTES) return false;
  let depth = 0;
  let isString = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (isString) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) isString = false;
    } else if (byte === QUOTE) isString = true;
    else if ((byte | BRACE_BIT) === OPEN) {
      depth++;
      if (depth > MAX_JSON_DEPTH) return true;
    } else if ((byte | BRACE_BIT) === CLOSE) depth--;
  }
  return false;
}
