/** The request of an `answer`, which its payload has before the body. */
export interface RecordedRequest {
  /** Name of the base that was called, never its address. */
  readonly base: string;
  readonly method: string;
  /** Path and query, keys masked. */
  readonly path: string;
  readonly body?: string | undefined;
  readonly status: number;
}

const LENGTH_BYTES = 4;

/** The payload of an `answer`: the length of the request, the request as JSON, the body that was answered. */
export function writeAnswer(request: RecordedRequest, body: Buffer): Buffer {
  const json = Buffer.from(JSON.stringify(request));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(json.length);
  return Buffer.concat([length, json, body]);
}

/**
 * Reads what `writeAnswer` has written.
 *
 * @throws Error where the payload is no answer
 */
export function readAnswer(payload: Buffer): { readonly request: RecordedRequest; readonly body: Buffer } {
  const end = LENGTH_BYTES + payload.readUInt32LE(0);
  const request = JSON.parse(payload.toString('utf8', LENGTH_BYTES, end)) as RecordedRequest;
  return { request, body: payload.subarray(end) };
}
