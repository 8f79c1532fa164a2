import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { iso } from '../../domain/clock.ts';
import type { HttpReply } from '../../pay/types.ts';
import type { Content, RenderedAnswer } from '../../products/answer/product-answer.ts';
import { EncodedResponse } from '../encoded-response.ts';
import { type FlatHeaders, headerRecord } from '../headers.ts';
import { jsonText } from './public-answer.ts';

const compress = promisify(gzip);

/** Below this many bytes compression gains less than its headers cost. */
const GZIP_FROM_BYTES = 860;
const GZIP_LEVEL = 6;
/** From here on it takes longer than all else of an answer: the fastest level makes it a tenth larger, in a third of the time. */
const FAST_FROM_BYTES = 1_000_000;
const FAST_LEVEL = 1;

function bytesOf(content: Content): Buffer {
  return 'bytes' in content ? content.bytes : Buffer.from(jsonText(content));
}

function dataHeaders(result: RenderedAnswer): FlatHeaders {
  const headers: string[] = [];
  if ('bytes' in result.content && result.content.fileName !== undefined) {
    headers.push('Content-Disposition', `attachment; filename="${result.content.fileName}"`);
  }
  if (result.answeredAsOf !== undefined) headers.push('X-Answered-As-Of', iso(result.answeredAsOf));
  if (result.renamed !== undefined) {
    const { asked, ticker, day, factor } = result.renamed;
    headers.push('X-Renamed', `${asked}=${ticker}; day=${day}; factor=${factor}`);
  }
  if (result.asOf !== undefined) headers.push('X-Data-As-Of', iso(result.asOf));
  if (result.sources !== undefined) {
    const { used, missing } = result.sources;
    const lists = missing.length === 0 ? [used] : [used, missing];
    headers.push('X-Data-Sources', lists.map((venues) => venues.join(',')).join(';'));
  }
  return headers;
}

/** Compresses off the event loop. */
export function gzipBytes(body: Buffer): Promise<Buffer> {
  const level = body.length < FAST_FROM_BYTES ? GZIP_LEVEL : FAST_LEVEL;
  return compress(body, { level, memLevel: constants.Z_DEFAULT_MEMLEVEL });
}

export const worthGzip = (body: Buffer): boolean => body.length >= GZIP_FROM_BYTES;

/** One answer as bytes, once per encoding. Immutable; a new version of the data is a new Answer. */
export class Answer {
  readonly identity: EncodedResponse;
  /** Hash of the bytes, for free routes. */
  readonly etag: string | undefined;
  readonly basis: readonly unknown[] | undefined;
  /** Called when the compressed form is there, and more bytes are held. */
  onCompressed = (): void => {};
  readonly #shared: FlatHeaders;
  #gzipped: EncodedResponse | undefined;
  #compressing: Promise<EncodedResponse> | undefined;
  #sold: HttpReply | undefined;

  /** @param routeHeaders CORS and caching headers of the route; `hashed` adds an ETag */
  constructor(result: RenderedAnswer, routeHeaders: FlatHeaders, hashed: boolean) {
    const body = bytesOf(result.content);
    const type = 'bytes' in result.content ? result.content.contentType : 'application/json';
    this.basis = result.basis;
    this.etag = hashed ? createHash('sha1').update(body).digest('base64url') : undefined;
    this.#shared = ['Content-Type', type, ...routeHeaders, ...dataHeaders(result)];
    this.identity = this.#encode(body, []);
  }

  /** Bytes held, those of the images included. */
  get bytes(): number {
    return 2 * (this.identity.body.length + (this.#gzipped?.body.length ?? 0));
  }

  /** The compressed form where it is ready, a promise of it where it is not. Small answers stay as they are. */
  gzip(): EncodedResponse | Promise<EncodedResponse> {
    if (this.#gzipped !== undefined) return this.#gzipped;
    if (!worthGzip(this.identity.body)) return this.identity;
    this.#compressing ??= gzipBytes(this.identity.body)
      .then((body) => {
        this.#gzipped = this.#encode(body, ['Content-Encoding', 'gzip']);
        this.onCompressed();
        return this.#gzipped;
      })
      // Where it failed, who asks next tries again.
      .finally(() => {
        this.#compressing = undefined;
      });
    return this.#compressing;
  }

  /** As the paywall holds it: the same object for all who buy it, which the ledger stores once. */
  get sold(): HttpReply {
    this.#sold ??= {
      status: 200,
      headers: headerRecord(this.identity.headers),
      body: this.identity.body,
      gzip: async () => (await this.gzip()).body,
    };
    return this.#sold;
  }

  /** Headers of a 304, and of everything that must not say what the bytes are. */
  get shared(): FlatHeaders {
    return this.etag === undefined ? this.#shared : [...this.#shared, 'ETag', `"${this.etag}"`];
  }

  #encode(body: Buffer, encoding: FlatHeaders): EncodedResponse {
    // A strong validator names bytes, so each encoding has its own.
    const tag = encoding.length === 0 ? `"${this.etag}"` : `"${this.etag}-gz"`;
    const validator = this.etag === undefined ? [] : ['ETag', tag];
    const length = ['Content-Length', String(body.length)];
    return new EncodedResponse(200, [...this.#shared, ...validator, ...encoding, ...length], body);
  }

  /**
   * True if the client's If-None-Match names this answer in any encoding (weak comparison, RFC 9110 13.1.2).
   */
  matches(ifNoneMatch: string | undefined): boolean {
    if (ifNoneMatch === undefined || this.etag === undefined) return false;
    if (ifNoneMatch.trim() === '*') return true;
    const etag = this.etag;
    return ifNoneMatch.split(',').some((part) => {
      const tag = part.trim().replace(/^W\//, '');
      return tag === `"${etag}"` || tag === `"${etag}-gz"`;
    });
  }
}
