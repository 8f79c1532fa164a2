import {
  createClient,
  type Fetch,
  liveRows,
  PerpmeterError,
  type StreamEvent,
  type StreamOptions,
} from '@perpmeter/client';
import { afterEach, describe, expect, it } from 'vitest';
import { exampleRows } from '../api/example-market.ts';
import { createStreamApi } from '../api/stream-api.ts';
import { until } from '../until.ts';
import { careful, json, problem, startSeller } from './seller.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Follows a stream of the real service; `cut` breaks its connection. */
async function following(options: StreamOptions = {}) {
  // An agent may open a connection that it never uses: nobody is to wait for it.
  const example = createStreamApi({ drainMs: 1 });
  const baseUrl = await example.start();
  closing.push(() => example.close());
  const connections: { readonly id: string | undefined; readonly cut: () => void }[] = [];
  const client = createClient({
    baseUrl,
    wait: async () => {},
    fetch: (url, init) => {
      const stop = new AbortController();
      connections.push({ id: init.headers['Last-Event-ID'], cut: () => stop.abort() });
      return fetch(url, { ...init, signal: AbortSignal.any([init.signal, stop.signal]) });
    },
  });
  const end = new AbortController();
  closing.push(() => end.abort());
  const events: StreamEvent[] = [];
  const take = async (): Promise<void> => {
    for await (const event of client.streamPreview({ ...options, signal: end.signal })) events.push(event);
  };
  const done = take();
  return { ...example, connections, events, end, done };
}

describe('the client’s stream', () => {
  it('a broken connection: goes on after the last event', async () => {
    const { events, market, connections, end, done } = await following();
    await until(() => expect(events.map(({ event }) => event)).toEqual(['snapshot']));
    connections[0]?.cut();
    market.remember(
      exampleRows().map((row) => ({ ...row, volume24hUsd: undefined, version: row.version + 1 })),
    );
    await until(() => expect(events.map(({ event }) => event)).toEqual(['snapshot', 'change']));
    expect(connections.map(({ id }) => id)).toEqual([undefined, events[0]?.id]);
    market.remember([]);
    await until(() => expect(events.at(-1)).toMatchObject({ event: 'change', rows: [] }));
    let held = 0;
    const told = async function* (): AsyncGenerator<StreamEvent> {
      yield* events;
    };
    for await (const rows of liveRows(told())) held = Math.max(held, rows.size) * Math.sign(rows.size);
    expect(held).toBe(0);
    end.abort();
    await done;
  });

  it('that is silent is opened again', async () => {
    const { connections } = await following({ silentMs: 1 });
    await until(() => expect(connections.length).toBeGreaterThan(2));
  });

  it('waits for a place as long as is asked, and throws what will not pass', async () => {
    const seller = await startSeller();
    closing.push(() => seller.stop());
    const replies = [problem(503, 'stream_full', '30'), problem(404, 'unknown_route')];
    seller.unpaid = (request, response) => (replies.shift() ?? json(500, {}))(request, response);
    const { client, waits } = careful(seller.url);
    await expect(client.streamPreview().next()).rejects.toThrow(PerpmeterError);
    expect(waits).toEqual([30_000]);
  });

  it('goes on after the longest wait where a longer one is asked', async () => {
    const seller = await startSeller();
    closing.push(() => seller.stop());
    const replies = [problem(429, 'rate_limited', '3600'), problem(404, 'unknown_route')];
    seller.unpaid = (request, response) => (replies.shift() ?? json(500, {}))(request, response);
    const { client, waits } = careful(seller.url);
    await expect(client.streamPreview().next()).rejects.toThrow('unknown_route');
    expect(waits).toEqual([30_000]);
  });

  it('that is never answered is asked for again', async () => {
    let asked = 0;
    const silentFirst: Fetch = (_, { signal }) => {
      asked += 1;
      if (asked > 1) return Promise.resolve(Response.json({ code: 'unknown_route' }, { status: 404 }));
      return new Promise((_answer, refuse) =>
        signal.addEventListener('abort', () => refuse(signal.reason), { once: true }),
      );
    };
    const { client } = careful('http://seller.example', {}, { fetch: silentFirst });
    await expect(client.streamPreview({ silentMs: 1 }).next()).rejects.toThrow('unknown_route');
    expect(asked).toBe(2);
  });
});
