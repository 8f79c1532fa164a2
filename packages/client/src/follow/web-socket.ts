import type { Sent } from '../http.ts';
import type { Arrived, Reading } from './arrived.ts';
import type { SocketMaker } from './socket.ts';

/**
 * Messages that wait for a caller who takes none. A WebSocket cannot be held back: one with more is closed, and what the caller has
 * missed comes as one when the stream is read on.
 */
const MOST_WAITING = 100;

/** Offered as protocols, since browsers can set no header of a WebSocket. */
const wordsOf = ({ id, secret }: Reading): string[] => [
  'perpmeter.stream.v1',
  `perpmeter.secret.${secret}`,
  ...(id === undefined ? [] : [`perpmeter.after.${id}`]),
];

/** A refusal as HTTP would have answered it. */
function refusalOf({ retry_after: wait, data }: Readonly<Record<string, unknown>>): Sent {
  const headers = new Headers({ 'content-type': 'application/problem+json' });
  if (wait !== undefined) headers.set('retry-after', String(wait));
  const status = Number(Object(data).status);
  const body = new TextEncoder().encode(JSON.stringify(data));
  return { code: 'replied', reply: { status, headers, body } };
}

/** @throws where it is no message of a service */
function arrivedOf(text: unknown): Arrived | undefined {
  if (typeof text !== 'string') throw new TypeError('bytes');
  const message = JSON.parse(text);
  if (message.event === 'heartbeat') return undefined;
  if (message.event === 'problem') return { kind: 'refused', sent: refusalOf(message) };
  const { id, event, data } = message;
  if (typeof event !== 'string') throw new TypeError('no event');
  return { kind: 'event', event: { ...data, event, id } };
}

/** Messages of a WebSocket until it closes, falls silent for too long, or is ended. */
export async function* ofSocket(
  reading: Reading,
  Maker: SocketMaker,
  signal: AbortSignal,
  silentMs: number,
): AsyncGenerator<Arrived> {
  const url = new URL(reading.url);
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:';
  const socket = new Maker(url.href, wordsOf(reading));
  const waiting: Arrived[] = [];
  let isOver = false;
  let wake = (): void => {};
  const end = (): void => {
    isOver = true;
    clearTimeout(timer);
    socket.close();
    wake();
  };
  let timer = setTimeout(end, silentMs);
  socket.addEventListener('message', ({ data }) => {
    if (isOver) return;
    clearTimeout(timer);
    timer = setTimeout(end, silentMs);
    try {
      const arrived = arrivedOf(data);
      if (arrived !== undefined) waiting.push(arrived);
      if (waiting.length >= MOST_WAITING) end();
    } catch {
      // An exception in a listener would end the caller's process; what no service sends ends the connection instead.
      end();
    }
    wake();
  });
  socket.addEventListener('close', end);
  socket.addEventListener('error', end);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  for (;;) {
    const next = waiting.shift();
    if (next !== undefined) yield next;
    else if (isOver) return;
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
}
