import { createClient, type FollowEvent, type FollowOptions } from '@perpmeter/client';
import { WebSocket } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Socket } from '../../packages/client/src/follow/socket.ts';
import { ofSocket } from '../../packages/client/src/follow/web-socket.ts';
import { type StreamService, startStreamService } from '../paid-stream/stream-service.ts';
import { openSale, type Sale } from '../pay/open-sale.ts';
import { until } from '../until.ts';

let sale: Sale;
let service: StreamService;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  sale = await openSale();
  service = await startStreamService(sale);
});
afterEach(async () => {
  vi.unstubAllGlobals();
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(async () => {
  await service.stop();
  await sale.stop();
});

/** Follows a stream that is there by WebSocket; `sockets` are its connections. */
function followed(stream: NonNullable<FollowOptions['stream']>) {
  const sockets: WebSocket[] = [];
  class Watched extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols);
      sockets.push(this);
    }
  }
  const client = createClient({
    baseUrl: service.url,
    wait: () => new Promise((resolve) => setImmediate(resolve)),
  });
  const following = client.follow({ stream, transport: 'websocket', webSocket: Watched, maxUsd: '0' });
  const events: FollowEvent<'funding'>[] = [];
  const take = async (): Promise<void> => {
    for await (const event of following) events.push(event);
  };
  const done = take();
  closing.push(async () => {
    await following.return();
    await done;
  });
  return { following, events, sockets, done };
}
const namesOf = (events: readonly Pick<FollowEvent, 'event'>[]) => events.map(({ event }) => event);

describe('a paid stream that is followed by WebSocket', () => {
  it('read, broken, and read on after the last event', async () => {
    service.setRate(0.001);
    const { events, following, sockets } = followed(service.grant(10));
    await until(() => expect(namesOf(events)).toEqual(['snapshot']));
    sockets[0]?.close();
    await until(() => expect(sockets.length).toBe(2));
    service.setRate(0.002);
    service.turn();
    await until(() => expect(following.rows.funding.get('binance crypto:BTC')?.rate).toBe(0.002));
    expect(namesOf(events)).not.toContain('ended');
    expect(namesOf(events).slice(1)).not.toContain('snapshot');
  });

  it('another secret: ended with the problem that the service has', async () => {
    const { id, secret } = service.grant(10);
    const { events, sockets } = followed({ id, secret });
    await until(() => expect(namesOf(events)).toEqual(['snapshot']));
    const [socket] = sockets;
    expect(socket?.protocol).toBe('perpmeter.stream.v1');
    const wrong = followed({ id, secret: `${secret.slice(1)}x` });
    await wrong.done;
    expect(wrong.events).toMatchObject([{ event: 'ended', problem: { code: 'no_data' } }]);
  });

  it('left by its caller: closed', async () => {
    const { events, following, sockets, done } = followed(service.grant(10));
    await until(() => expect(namesOf(events)).toEqual(['snapshot']));
    await following.return();
    await done;
    await until(() => expect(sockets[0]?.readyState).toBe(WebSocket.CLOSED));
    expect(sockets.length).toBe(1);
  });
});

it('a runtime without a WebSocket: says at once what is missing', () => {
  vi.stubGlobal('WebSocket', undefined);
  const client = createClient({ baseUrl: service.url });
  expect(() => client.follow({ transport: 'websocket', maxUsd: '1' })).toThrow(TypeError);
});

describe('the messages of a socket', () => {
  /** Reads a socket that the test feeds. */
  function fed(silentMs = 60_000) {
    const listeners = new Map<string, (event: { data?: unknown }) => void>();
    const close = vi.fn();
    class Fed implements Socket {
      close = close;
      addEventListener(type: string, listener: (event: { data?: unknown }) => void): void {
        listeners.set(type, listener);
      }
    }
    const reading = { url: new URL('https://data.example/v1/streams/s1'), id: undefined, secret: 'x' };
    const messages = ofSocket(reading, Fed, new AbortController().signal, silentMs);
    const feedData = (data: unknown): void => listeners.get('message')?.({ data });
    const feed = (message: object): void => feedData(JSON.stringify(message));
    return { messages, feed, feedData, close };
  }

  it('of a caller who takes none: closed, and what came before is given', async () => {
    const { messages, feed, close } = fed();
    const first = messages.next();
    for (let number = 1; number <= 150; number += 1)
      feed({ id: `r-1-${number}`, event: 'change', data: { topics: {} } });
    expect(close).toHaveBeenCalled();
    expect((await first).value).toMatchObject({ event: { id: 'r-1-1' } });
    const rest: unknown[] = [];
    for await (const message of messages) rest.push(message);
    expect(rest.length).toBe(99);
  });

  it.each([
    ['no JSON', 'no JSON'],
    ['null', 'null'],
    ['no event', '[]'],
    ['bytes', new TextEncoder().encode('{"event":"heartbeat"}')],
  ])('that no service sends (%s): closed, and nothing is thrown', async (_, data) => {
    const { messages, feed, feedData, close } = fed();
    const first = messages.next();
    feed({ id: 'r-1-1', event: 'change', data: { topics: {} } });
    expect(() => feedData(data)).not.toThrow();
    expect(close).toHaveBeenCalled();
    expect((await first).value).toMatchObject({ event: { id: 'r-1-1' } });
    expect((await messages.next()).done).toBe(true);
  });

  it('after heartbeats alone, then silence: closed', async () => {
    vi.useFakeTimers();
    try {
      const { messages, feed, close } = fed(45_000);
      const next = messages.next();
      await vi.advanceTimersByTimeAsync(40_000);
      feed({ event: 'heartbeat' });
      await vi.advanceTimersByTimeAsync(40_000);
      expect(close).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(5_000);
      expect(close).toHaveBeenCalled();
      expect((await next).done).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });
});
