import WebSocket from 'ws';
import { eventParser } from '../soak/stream-reader.ts';

/** An event as a reader got it. */
export interface ReadEvent {
  readonly id: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the data of every event
  readonly data: any;
}

/** A reader of a paid stream, by whatever protocol. */
export interface EventReader {
  readonly events: readonly ReadEvent[];
  /** Breaks its connection off. */
  readonly cut: () => void;
}

export const socketUrl = (base: string, id: string): string => {
  const url = new URL(`/v1/streams/${id}`, base);
  url.protocol = 'ws:';
  return url.href;
};

/** Numbered events whose number does not follow the one before. */
export const gapsIn = (events: readonly ReadEvent[]): number => {
  const numbers = events.filter(({ id }) => id !== '').map(({ id }) => Number(id.split('-').at(-1)));
  return numbers.filter((number, at) => at > 0 && number !== (numbers[at - 1] ?? 0) + 1).length;
};

/** Reads a stream by WebSocket, as a browser states its secret and its last id. */
export function readBySocket(base: string, id: string, secret: string | undefined, lastId?: string) {
  const events: ReadEvent[] = [];
  let closed: { readonly code: number; readonly reason: string } | undefined;
  const words = ['perpmeter.stream.v1'];
  if (secret !== undefined) words.push(`perpmeter.secret.${secret}`);
  if (lastId !== undefined) words.push(`perpmeter.after.${lastId}`);
  const socket = new WebSocket(socketUrl(base, id), words);
  socket.on('message', (message: Buffer) => events.push({ id: '', ...JSON.parse(message.toString()) }));
  socket.on('close', (code, reason) => {
    closed = { code, reason: reason.toString() };
  });
  socket.on('error', () => {});
  return {
    events,
    socket,
    cut: () => socket.terminate(),
    /** Code and reason of the close; undefined while it is open. */
    get closed() {
      return closed;
    },
    get gaps(): number {
      return gapsIn(events);
    },
  };
}

/** Reads a stream by server-sent events. */
export async function readByStream(base: string, id: string, secret: string, lastId?: string) {
  const events: ReadEvent[] = [];
  const stop = new AbortController();
  const headers = new Headers({ accept: 'text/event-stream', 'perpmeter-secret': secret });
  if (lastId !== undefined) headers.set('last-event-id', lastId);
  const response = await fetch(`${base}/v1/streams/${id}`, { headers, signal: stop.signal });
  const parse = eventParser(({ name, id: at, data }) => events.push({ id: at, event: name, data }));
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) parse(decoder.decode(chunk, { stream: true }));
  };
  read().catch(() => {});
  return { events, status: response.status, cut: () => stop.abort() };
}
