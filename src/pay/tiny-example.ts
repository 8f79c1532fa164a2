import { isWire } from '../domain/read.ts';

/**
 * The beginning of an example answer in at most so many bytes of JSON: fields in their order as far as they fit, one entry of
 * each list. Values are as they are in the answer; what does not fit is left out.
 */
export function tinyExample(value: unknown, bytes: number): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map((entry) => tinyExample(entry, bytes - 2));
  if (!isWire(value)) return value;
  const kept: [name: string, field: unknown][] = [];
  let size = BRACES;
  for (const [name, field] of Object.entries(value)) {
    const room = bytes - size - name.length - 4;
    // Not even a digit fits. A look at what is within would cost most, since examples are long and headers short.
    if (room < 0) continue;
    const tiny = tinyExample(field, room);
    const comma = kept.length > 0 ? 1 : 0;
    const more = comma + sizeOf(name) + 1 + sizeOf(tiny);
    if (size + more > bytes || isEmptied(field, tiny)) continue;
    kept.push([name, tiny]);
    size += more;
  }
  return Object.fromEntries(kept);
}

/** Bytes of an object without fields. */
const BRACES = 2;
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Nothing of it fits: an object without fields would say that it has none. */
function isEmptied(whole: unknown, tiny: unknown): boolean {
  const [first, kept] = Array.isArray(whole) && Array.isArray(tiny) ? [whole[0], tiny[0]] : [whole, tiny];
  return isWire(first) && isWire(kept) && Object.keys(kept).length === 0 && Object.keys(first).length > 0;
}
