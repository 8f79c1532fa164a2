import { gunzipSync } from 'node:zlib';
import { isNestedTooDeep, MAX_JSON_DEPTH } from '../domain/json-depth.ts';
import type { Compression } from '../venues/stream.ts';

/** A frame as JSON, as plain text (`ping`, `pong`), or why it could not be read. */
export type Frame =
  | { readonly kind: 'json'; readonly payload: unknown }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unreadable'; readonly reason: string };

function unpack(data: Buffer, compression: Compression, cap: number): Buffer {
  // Some venues mix packed and plain frames; the gzip magic tells them apart.
  const isPacked = compression === 'gzip' && data[0] === 0x1f && data[1] === 0x8b;
  return isPacked ? gunzipSync(data, { maxOutputLength: cap }) : data;
}

/**
 * The text of one WebSocket message, as bytes; undefined where it cannot be unpacked. Only binary messages are
 * unpacked. Synchronous, so that frames keep their order; they are small.
 *
 * @param cap largest size after unpacking, bytes
 */
export function frameBytes(
  data: Buffer,
  isBinary: boolean,
  compression: Compression,
  cap: number,
): Buffer | undefined {
  try {
    return isBinary ? unpack(data, compression, cap) : data;
  } catch {
    return undefined;
  }
}

/** A message whose payload the venue's own reader gave; undefined where it could not read it. */
export function binaryFrame(payload: unknown): Frame {
  return payload === undefined
    ? { kind: 'unreadable', reason: 'binary frame is not of the form asked for' }
    : { kind: 'json', payload };
}

/** Reads the text of a message. */
export function parseFrame(bytes: Buffer): Frame {
  if (isNestedTooDeep(bytes))
    return { kind: 'unreadable', reason: `frame is nested deeper than ${MAX_JSON_DEPTH}` };
  const text = bytes.toString('utf8');
  try {
    const payload: unknown = JSON.parse(text);
    return { kind: 'json', payload };
  } catch {
    return text.length <= 64 ? { kind: 'text', text } : { kind: 'unreadable', reason: 'frame is not JSON' };
  }
}
