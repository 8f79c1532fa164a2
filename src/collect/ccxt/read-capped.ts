/** Text of a body and its size after decompression. */
export interface CappedBody {
  readonly body: string;
  readonly bytes: number;
}

/**
 * Reads a whole body as text.
 *
 * @throws RangeError when the body is larger than `cap` bytes; the rest is not read
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
  return { body: Buffer.concat(chunks).toString('utf8'), bytes };
}
