import { promisify } from 'node:util';
import {
  brotliDecompress,
  brotliDecompressSync,
  gunzip,
  gunzipSync,
  inflate,
  inflateRaw,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
} from 'node:zlib';
import { isNestedTooDeep, MAX_JSON_DEPTH } from '../domain/json-depth.ts';
import { failed, type Outcome } from './transport-failure.ts';

/** A decoder on this thread, and the same on one of the pool. */
type Decoder = readonly [
  here: (body: Buffer, options: ZlibOptions) => Buffer,
  away: (body: Buffer, options: ZlibOptions) => Promise<Buffer>,
];

const BROTLI: Decoder = [brotliDecompressSync, promisify(brotliDecompress)];
const GZIP: Decoder = [gunzipSync, promisify(gunzip)];
const DEFLATE: Decoder = [inflateSync, promisify(inflate)];
const DEFLATE_RAW: Decoder = [inflateRawSync, promisify(inflateRaw)];

/** Up to this size the way to another thread and back costs more than the work, which takes a fraction of a millisecond. */
const HERE_BYTES = 16 * 1024;

/** True if the bytes begin with a zlib header (RFC 1950); some servers send bare deflate instead. */
function hasZlibHeader(body: Buffer): boolean {
  const [cmf, flags] = body;
  return cmf !== undefined && flags !== undefined && (cmf & 0x0f) === 8 && (cmf * 256 + flags) % 31 === 0;
}

function decoderOf(body: Buffer, encoding: string): Decoder | undefined {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return GZIP;
    case 'br':
      return BROTLI;
    case 'deflate':
      return hasZlibHeader(body) ? DEFLATE : DEFLATE_RAW;
    default:
      return undefined;
  }
}

/** The body without its content encoding, at most `cap` bytes (a compression bomb ends there). */
export async function decodeBody(
  body: Buffer,
  encodingHeader: string | undefined,
  cap: number,
): Promise<Outcome<Buffer>> {
  const encoding = (encodingHeader ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity' || body.length === 0) return { ok: true, value: body };
  const decoder = decoderOf(body, encoding);
  if (decoder === undefined) return failed('not_json', 'unknown content encoding');
  const [here, away] = decoder;
  const options = { maxOutputLength: cap };
  try {
    return { ok: true, value: body.length <= HERE_BYTES ? here(body, options) : await away(body, options) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'ERR_BUFFER_TOO_LARGE'
      ? failed('too_large', `body over ${cap} bytes after decompression`)
      : failed('not_json', 'body is not what its content encoding says');
  }
}

/** Parses a body. The reason of a failure never quotes it. */
export function parseJson(body: Buffer): Outcome<unknown> {
  if (body.length === 0) return failed('not_json', 'empty body');
  if (isNestedTooDeep(body)) return failed('too_large', `nested deeper than ${MAX_JSON_DEPTH}`);
  const text = body.toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value };
  } catch {
    const isHtml = text.slice(0, 64).trimStart().startsWith('<');
    return failed('not_json', isHtml ? 'HTML instead of JSON' : `unreadable JSON (${body.length} bytes)`);
  }
}
