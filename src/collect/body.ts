import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { failed, type Outcome } from './transport-failure.ts';

const unbrotli = promisify(brotliDecompress);
const ungzip = promisify(gunzip);
const undeflate = promisify(inflate);
const undeflateRaw = promisify(inflateRaw);

/** Whether the bytes begin with a zlib header (RFC 1950); some servers send bare deflate instead. */
function hasZlibHeader(body: Buffer): boolean {
  const [cmf, flags] = body;
  return cmf !== undefined && flags !== undefined && (cmf & 0x0f) === 8 && (cmf * 256 + flags) % 31 === 0;
}

function decompress(body: Buffer, encoding: string, maxOutputLength: number): Promise<Buffer> | undefined {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return ungzip(body, { maxOutputLength });
    case 'br':
      return unbrotli(body, { maxOutputLength });
    case 'deflate':
      return (hasZlibHeader(body) ? undeflate : undeflateRaw)(body, { maxOutputLength });
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
  const decoding = decompress(body, encoding, cap);
  if (decoding === undefined) return failed('not_json', 'unknown content encoding');
  try {
    return { ok: true, value: await decoding };
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
  const text = body.toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value };
  } catch {
    const isHtml = text.slice(0, 64).trimStart().startsWith('<');
    return failed('not_json', isHtml ? 'HTML instead of JSON' : `unreadable JSON (${body.length} bytes)`);
  }
}
