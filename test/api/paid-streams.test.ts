import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@perpmeter/client';
import { keySigner } from '@perpmeter/client/key-signer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRate } from '../../src/domain/units.ts';
import { StreamDesk } from '../../src/modules/paid-stream/desk.ts';
import { paidEventStream } from '../../src/modules/paid-stream/event-stream.ts';
import { StreamHall } from '../../src/modules/paid-stream/hall.ts';
import { openStreamStore } from '../../src/modules/paid-stream/stream-store.ts';
import { TopicBoard } from '../../src/modules/paid-stream/topic-board.ts';
import { atOnce } from '../at-once.ts';
import { openSale, type Sale } from '../pay/open-sale.ts';
import { until } from '../until.ts';
import { createExampleApi, type ExampleApi } from './example-api.ts';
import { exampleBooks } from './example-books.ts';
import { exampleRows } from './example-market.ts';
import { examplePorts } from './example-ports.ts';
import { getRaw } from './raw-http.ts';

const PAGE = readFileSync('docs/paid-streams.md', 'utf8');
/** The requests of the page's worked example. */
const EXAMPLE = [...PAGE.matchAll(/<!-- runs: (\w+) -->\n```\n(\S+)\n```/g)].map(([, who, request]) => [
  who,
  request,
]);

const folder = mkdtempSync(join(tmpdir(), 'paid-streams-'));
let sale: Sale;
let given: ExampleApi;
let example: ExampleApi;
let running: ReturnType<typeof openStreams>;
let base: string;
const ends: (() => Promise<void>)[] = [];

/** Paid streams of a process that begins. */
function openStreams(owner: string) {
  const { market, clock } = given;
  const store = openStreamStore(folder);
  atOnce(store.recover(owner, clock.now(), (known) => known !== owner));
  const onError = (cause: unknown): never => {
    throw cause;
  };
  const board = new TopicBoard({ market, clock, books: exampleBooks() }, onError);
  const hall = new StreamHall({ store, board, clock, owner, onError });
  const readers = (id: string): number => hall.readersOf(id);
  const desk = new StreamDesk({ store, clock, isCharging: true, readers });
  for (const id of ['stream-minute', 'stream-ten-minutes', 'stream-hour', 'stream-day'])
    sale.payments.hearSales(id, (record, answer) => desk.sold(record, answer));
  return { store, hall, desk };
}

/** The HTTP surface over them. */
async function serve(): Promise<void> {
  const { desk, hall } = running;
  example = createExampleApi({
    paywall: sale.payments.paywall,
    payments: sale.info,
    market: given.market,
    clock: given.clock,
    drainMs: 1,
    readPort: examplePorts({ sale: sale.payments.ports, streams: desk }),
    streams: new Map([['stream-state', paidEventStream(desk, hall)]]),
  });
  base = await example.start();
}

beforeAll(async () => {
  sale = await openSale();
  given = createExampleApi({ paywall: sale.payments.paywall, payments: sale.info });
  running = openStreams('one');
  await serve();
});
afterAll(async () => {
  for (const end of ends.splice(0)) await end();
  await running.hall.stop();
  await example.api.close();
  await running.store.close();
  await sale.stop();
  rmSync(folder, { recursive: true, force: true });
});

const buyer = () =>
  createClient({
    baseUrl: base,
    wallet: { signer: keySigner(sale.chain.buyer.privateKey), caps: { perCall: '1', total: '5' } },
  });

/** A second of the service. */
function turn(seconds = 1): void {
  for (let second = 0; second < seconds; second += 1) {
    given.clock.advance(1000);
    running.hall.turn();
  }
}

/** Rows of the example, the rate of BTC on binance another one. */
const rowsAt = (rate: number) =>
  exampleRows().map((row) =>
    row.venue === 'binance' && row.canonicalId === 'crypto:BTC'
      ? { ...row, fundingRate: asRate(rate), rate8h: rate as never }
      : row,
  );

interface Read {
  /** Events so far: name and data. */
  readonly events: { readonly id: string; readonly name: string; readonly data: Record<string, unknown> }[];
  readonly status: number;
  isOver: boolean;
}

/** Reads a stream over HTTP, as its owner does. */
async function read(id: string, secret: string, lastId?: string): Promise<Read> {
  const reading = new AbortController();
  const response = await fetch(`${base}/v1/streams/${id}`, {
    headers: {
      accept: 'text/event-stream',
      'perpmeter-secret': secret,
      ...(lastId !== undefined && { 'last-event-id': lastId }),
    },
    signal: reading.signal,
  });
  const made: Read = { events: [], status: response.status, isOver: false };
  const hear = async (): Promise<void> => {
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const [, at = '', name = '', data = '{}'] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(part) ?? [];
        if (name !== '') made.events.push({ id: at, name, data: JSON.parse(data) });
      }
    }
  };
  const heard = hear()
    .catch(() => {})
    .then(() => {
      made.isOver = true;
    });
  ends.push(async () => {
    reading.abort();
    await heard;
  });
  return made;
}

describe('a stream that is bought', () => {
  let id = '';
  let secret = '';
  let reader: Read;

  it('by the request of the page: understood, and nothing used yet', async () => {
    const [[, request = ''] = []] = EXAMPLE.filter(([who]) => who === 'buy');
    const asked = Object.fromEntries(new URL(request, base).searchParams);
    const answer = await buyer().streamTenMinutes(asked as never);
    if (!answer.ok) throw new Error(answer.problem.detail);
    expect(answer.data).toMatchObject({
      minutes: 10,
      selection: {
        topics: ['funding', 'touches'],
        symbol: ['BTC', 'ETH'],
        venues: ['binance', 'okx'],
        uses: 1,
      },
    });
    id = answer.data.id;
    secret = answer.data.secret ?? '';
    const state = await buyer().streamState({ id }, { secret });
    expect(state).toMatchObject({ ok: true, data: { phase: 'idle', paid: 10, used: 0, left: 10 } });
    expect(running.desk.find(id)?.payer).toBe(sale.chain.buyer.address.toLowerCase());
  });

  it('without its secret: nothing is told or used', async () => {
    expect((await read(id, 'another')).status).toBe(404);
    const unsaid = { Accept: 'text/event-stream', 'Perpmeter-Secret': 'another' };
    expect((await getRaw(base, `http://:x/v1/streams/${id}`, unsaid)).status).toBe(404);
    expect(await buyer().streamState({ id })).toMatchObject({ problem: { code: 'missing_parameter' } });
    expect(running.desk.find(id)?.meter.used).toBe(0);
  });

  it('is read: the whole state, then what changes', async () => {
    reader = await read(id, secret);
    await until(() => expect(reader.events.map(({ name }) => name)).toEqual(['snapshot']));
    given.market.replace(rowsAt(0.002));
    turn();
    await until(() => expect(reader.events.map(({ name }) => name)).toEqual(['snapshot', 'change']));
    expect(reader.events[1]?.data).toMatchObject({
      topics: { funding: { rows: [{ venue: 'binance', symbol: 'BTC', rate: 0.002 }], gone: [] } },
    });
    const state = await buyer().streamState({ id }, { secret });
    expect(state).toMatchObject({ ok: true, data: { phase: 'running', used: 1, readers: 1 } });
  });

  it('its end comes: due, then a payment while it is read goes on', async () => {
    const name = (): string | undefined => reader.events.at(-1)?.name;
    turn(9 * 60 + 50);
    await until(() => expect(name()).toBe('due'));
    const { extend } = reader.events.at(-1)?.data ?? {};
    expect(extend).toBe(`/v1/stream/minute?extends=${id}`);
    turn(40);
    await until(() => expect(name()).toBe('paused'));
    const before = await sale.earned();
    const more = await buyer().streamMinute({ extends: id });
    expect(more).toMatchObject({ ok: true, data: { id, secret: null, selection: null, minutes: 1 } });
    expect((await sale.earned()) - before).toBe(1000n);
    turn();
    await until(() => expect(name()).toBe('resumed'));
    const numbers = reader.events.map(({ id: each }) => Number(each.split('-').at(-1)));
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
  });

  it('the process is killed: the minute is credited, and the reader goes on', async () => {
    turn(60);
    expect(await buyer().streamHour({ extends: id })).toMatchObject({ ok: true });
    turn();
    const { meter: before } = running.desk.find(id) ?? {};
    const last = reader.events.at(-1)?.id;
    await running.store.close();
    await example.api.close();
    await until(() => expect(reader.isOver).toBe(true));
    running = openStreams('two');
    await serve();
    const again = await read(id, secret, last);
    await until(() => expect(again.events.map(({ name }) => name)).toEqual(['credited', 'snapshot']));
    expect(again.events).toMatchObject([
      { data: { reason: 'killed', minutes: 1 } },
      { data: { reason: 'unknown_id' } },
    ]);
    const { meter: after } = running.desk.find(id) ?? {};
    expect(after).toMatchObject({ credited: 1, used: (before?.used ?? 0) + 1 });
    await running.hall.stop();
    await until(() => expect(again.events.at(-1)?.name).toBe('closing'));
    expect(running.desk.find(id)?.meter.credited).toBe(2);
  });
});

describe('a wrong purchase', () => {
  it.each([
    ['/v1/stream/minute?topics=rates', 'invalid_parameter'],
    ['/v1/stream/minute', 'invalid_parameter'],
    ['/v1/stream/minute?symbol=NOSUCH', 'unknown_ticker'],
    ['/v1/stream/minute?symbol=BTC&venues=vertex', 'not_listed'],
    ['/v1/stream/minute?extends=s0123456789abcdef01234567', 'no_data'],
  ])('%s: refused, and nothing is charged', async (path, code) => {
    const before = await sale.earned();
    const { pathname, searchParams } = new URL(path, base);
    expect(pathname).toBe('/v1/stream/minute');
    const refused = await buyer().streamMinute(Object.fromEntries(searchParams) as never);
    expect(refused).toMatchObject({ ok: false, problem: { code, charged: false } });
    expect(await sale.earned()).toBe(before);
  });
});
