import { isNestedTooDeep, MAX_JSON_DEPTH } from '../../domain/json-depth.ts';

/** Text of a body and its size after decompression. */
export interface CappedBody {
  readonly body: string;
  readonly bytes: number;
}

/**
 * Reads a whole body as text.
 *
 * @throws RangeError when the body is larger than `cap` bytes, where the rest is not read, or nested too deep
 */
export async function readCapped(
  response: { readonly body: AsyncIterable<Uint8Array> | null },
  cap: number,
): Promise<CappedBody> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > cap) throw new RangeError(`body over ${cap} bytes`);
    chunks.push(chunk);
  }
  const whole = Buffer.concat(chunks);
  if (isNestedTooDeep(whole)) throw new RangeError(`nested deeper than ${MAX_JSON_DEPTH}`);
  return { body: whole.toString('utf8'), bytes };
}
