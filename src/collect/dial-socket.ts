import WebSocket from 'ws';
import type { Stream } from '../venues/adapter.ts';

const DIAL_TIMEOUT_MS = 10_000;
/** Some venues refuse a client that does not say what it is. */
const HEADERS = { 'user-agent': 'perpmeter' };

/**
 * Begins to connect; undefined where the address is none. Frames come one a turn of the event loop, so that no
 * connection holds up the others; what waits behind them stays with the sender.
 */
export function dialSocket(address: string, stream: Stream, maxPayload: number): WebSocket | undefined {
  try {
    return new WebSocket(address, {
      maxPayload,
      handshakeTimeout: DIAL_TIMEOUT_MS,
      perMessageDeflate: stream.compression === 'permessage-deflate',
      followRedirects: false,
      allowSynchronousEvents: false,
      headers: HEADERS,
    });
  } catch {
    return undefined;
  }
}

/** The error's code, or the HTTP status of a refused upgrade. */
export function nameError(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code;
  const status = /server response: (\d{3})/.exec(error.message)?.[1];
  return status === undefined ? 'error' : `HTTP ${status}`;
}
