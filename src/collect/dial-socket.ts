import WebSocket from 'ws';
import type { Stream } from '../venues/adapter.ts';

const DIAL_TIMEOUT_MS = 10_000;
/** Some venues refuse a client that does not say what it is. */
const HEADERS = { 'user-agent': 'perpmeter' };

/** Frames after which a connection waits for the next turn of the event loop; what was read with them (64 kB) still comes. */
export const FRAMES_A_TURN = 32;

/**
 * Begins to connect; undefined where the address is none. A burst of frames comes at once, since one a turn would wait
 * for all that is asked meanwhile; a longer one comes in pieces, so that no connection holds up the others: what waits
 * behind them stays with the sender.
 */
export function dialSocket(address: string, stream: Stream, maxPayload: number): WebSocket | undefined {
  try {
    const socket = new WebSocket(address, {
      maxPayload,
      handshakeTimeout: DIAL_TIMEOUT_MS,
      perMessageDeflate: stream.compression === 'permessage-deflate',
      followRedirects: false,
      headers: HEADERS,
    });
    readInPieces(socket);
    return socket;
  } catch {
    return undefined;
  }
}

function readInPieces(socket: WebSocket): void {
  let frames = 0;
  const nextTurn = (): void => {
    if (frames >= FRAMES_A_TURN) socket.resume();
    frames = 0;
  };
  socket.on('message', () => {
    frames++;
    if (frames === 1) setImmediate(nextTurn);
    if (frames === FRAMES_A_TURN) socket.pause();
  });
}

/** The error's code, or the HTTP status of a refused upgrade. */
export function nameError(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code;
  const status = /server response: (\d{3})/.exec(error.message)?.[1];
  return status === undefined ? 'error' : `HTTP ${status}`;
}
