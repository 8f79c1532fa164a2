import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { RowStream } from '../../src/modules/stream/row-stream.ts';
import { StreamReader } from '../soak/stream-reader.ts';
import { SeededRows, serveRows } from '../soak/stream-source.ts';
import { until } from '../until.ts';
import { exampleRows } from './example-market.ts';
import { getRaw, json, requestRaw } from './raw-http.ts';
import { createStreamApi } from './stream-api.ts';

const PREVIEW = '/v1/stream/preview';
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function readerOf(url: string, ended?: () => void): StreamReader {
  const reader = new StreamReader(url, ended);
  closing.push(() => reader.cut());
  reader.open();
  return reader;
}

async function exampleStream() {
  const example = createStreamApi();
  const base = await example.start();
  closing.push(() => example.close());
  return { ...example, base };
}

describe('the stream of the preview', () => {
  it('begins with the rows of the preview, and tells their changes', async () => {
    const { base, market, clock } = await exampleStream();
    const reader = readerOf(base + PREVIEW);
    await until(() => expect(reader.last).toBe(0));
    const preview = json(await getRaw(base, '/v1/preview/funding-current')) as { rates: unknown[] };
    expect([...reader.rows.values()]).toEqual(preview.rates);
    market.remember(
      exampleRows().map((row) => ({ ...row, volume24hUsd: undefined, version: row.version + 1 })),
    );
    await until(() => expect(reader.last).toBe(1));
    clock.advance(1000);
    const changed = json(await getRaw(base, '/v1/preview/funding-current')) as typeof preview;
    expect(new Set(reader.rows.values())).toEqual(new Set(changed.rates));
    expect(reader.unsaid).toBe(0);
  });

  it('goes on after Last-Event-ID', async () => {
    const { base, market } = await exampleStream();
    const reader = readerOf(base + PREVIEW);
    await until(() => expect(reader.last).toBe(0));
    reader.cut();
    market.remember([]);
    reader.open();
    await until(() => expect(reader.last).toBe(1));
    expect(reader.rows.size).toBe(0);
    expect([...reader.snapshots]).toEqual([['start', 1]]);
  });

  it('a client that accepts no events: one snapshot, HEAD too', async () => {
    const { base } = await exampleStream();
    const { headers, body } = await getRaw(base, PREVIEW, { Accept: '*/*' });
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(body.toString()).toMatch(/^event: snapshot\ndata: \{"reason":"start","rows":\[\{.*\}\]\}\n\n$/);
    const head = await requestRaw(base, 'HEAD', PREVIEW, { Accept: 'text/event-stream' });
    expect([head.status, head.body.length]).toEqual([200, 0]);
  });

  it('refuses a parameter that it does not take', async () => {
    const { base } = await exampleStream();
    const { status } = await getRaw(base, `${PREVIEW}?symbol=BTC`, { Accept: 'text/event-stream' });
    expect(status).toBe(400);
  });

  it('never looks at a payment', async () => {
    const { base, paywall } = await exampleStream();
    const reader = readerOf(base + PREVIEW);
    await getRaw(base, PREVIEW, { 'X-PAYMENT': 'e30=' });
    await until(() => expect(reader.last).toBe(0));
    expect(paywall.taken).toEqual([]);
  });

  it('ends at a shutdown with a word, and the shutdown does not wait for it', async () => {
    const { base, close } = await exampleStream();
    let ended = false;
    const reader = readerOf(base + PREVIEW, () => {
      ended = true;
    });
    await until(() => expect(reader.last).toBe(0));
    await close();
    await until(() => expect(ended).toBe(true));
    await until(() => expect(reader.closings).toBe(1));
  });

  it('takes so many readers of one address and no more', async () => {
    const { base, streams } = await exampleStream();
    for (let i = 0; i < 20; i += 1) readerOf(base + PREVIEW);
    await until(() => expect(streams.preview.counts.readers).toBe(20));
    const refused = await getRaw(base, PREVIEW, { Accept: 'text/event-stream' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
  });
});

describe('the stream of the table', () => {
  it('on the operator surface alone: every row', async () => {
    const { base, api } = await exampleStream();
    const server = createServer((request, response) => api.answerOperator(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const reader = readerOf(`http://127.0.0.1:${port}/v1/stream/rows`);
    await until(() => expect(reader.last).toBe(0));
    expect(reader.rows.size).toBeGreaterThan(0);
    expect((await getRaw(base, '/v1/stream/rows')).status).toBe(404);
  });
});

describe('a stream of rows', () => {
  const serve = async (options: Partial<ConstructorParameters<typeof RowStream>[0]>, padding = 10) => {
    const source = new SeededRows(5, 20, padding);
    source.isChanging = false;
    const { url, streams, server } = await serveRows({
      '/rows': { source, options: { keptRows: 100, everyMs: 3_600_000, ...options } },
    });
    const { stream } = streams.get('/rows') ?? {};
    if (stream === undefined) throw new Error('no stream');
    closing.push(() => {
      stream.close();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    });
    return { source, stream, url: `${url}/rows` };
  };

  it('answers 503 when all places are taken, until one is left', async () => {
    const { stream, url } = await serve({ maxReaders: 2 });
    const [first] = [readerOf(url), readerOf(url)];
    await until(() => expect(stream.counts.readers).toBe(2));
    const refused = readerOf(url);
    await until(() => expect(refused.refused).toBe(1));
    first?.cut();
    await until(() => expect(stream.counts.readers).toBe(1));
    refused.open();
    await until(() => expect(refused.last).toBe(0));
  });

  it('a hundred readers: other work between them, none after leaving', async () => {
    const { source, stream } = await serve({ maxOfAddress: 1000 });
    const readers = Array.from({ length: 250 }, () => {
      const response = Object.assign(new EventEmitter(), { written: 0, writeHead: () => {}, end: () => {} });
      const write = (): boolean => {
        response.written += 1;
        return true;
      };
      const taken = Object.assign(response, { write });
      const refusal = stream.open(
        { headers: {} } as IncomingMessage,
        taken as unknown as ServerResponse,
        'one',
      );
      expect(refusal).toBeUndefined();
      return taken;
    });
    const [greeting] = readers.map(({ written }) => written);
    const told = (): number => readers.filter(({ written }) => written > (greeting ?? 0)).length;
    source.isChanging = true;
    stream.tick();
    expect(told()).toBe(100);
    readers.at(-1)?.emit('close');
    await until(() => expect(told()).toBe(249));
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    expect(readers.at(-1)?.written).toBe(greeting);
  });

  it('a slow reader: the latest of each row at once, and the span', async () => {
    const { source, stream, url } = await serve({ keptRows: 10_000 }, 200_000);
    const reader = readerOf(url);
    await until(() => expect(reader.last).toBe(0));
    reader.pause();
    source.isChanging = true;
    for (let i = 0; i < 30; i += 1) {
      stream.tick();
      await new Promise(setImmediate);
    }
    reader.resume();
    await until(() => expect(reader.last).toBe(stream.sequence));
    expect(reader.conflated).toBeGreaterThan(0);
    expect(reader.unsaid).toBe(0);
    expect(new Set(reader.rows.keys())).toEqual(new Set(source.rows.keys()));
  });

  it('a reader behind all kept changes: the rows again, with the reason', async () => {
    const { source, stream, url } = await serve({ keptRows: 5 }, 200_000);
    const reader = readerOf(url);
    await until(() => expect(reader.last).toBe(0));
    reader.pause();
    source.isChanging = true;
    for (let i = 0; i < 30; i += 1) {
      stream.tick();
      await new Promise(setImmediate);
    }
    reader.resume();
    await until(() => expect(reader.last).toBe(stream.sequence));
    expect(reader.snapshots.get('behind')).toBeGreaterThan(0);
    expect(reader.unsaid).toBe(0);
  });

  it('cuts off a reader that takes nothing', async () => {
    const { stream, url } = await serve({ heartbeatMs: 20, stuckMs: 50 }, 2_000_000);
    const reader = readerOf(url);
    await until(() => expect(stream.counts.opened).toBe(1));
    reader.pause();
    await until(() => expect(stream.counts.readers).toBe(0));
  });
});
