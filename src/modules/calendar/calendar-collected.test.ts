import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type CollectorRig, eachWithRig } from '../../../test/collect/collector-rig.ts';
import { memoryIdentityStore, memorySourceIdStore } from '../../../test/market/memory-stores.ts';
import { silentLogger } from '../../collect/logger.ts';
import { iso } from '../../domain/clock.ts';
import { asMs } from '../../domain/units.ts';
import type { ServiceOptions } from '../../host/options.ts';
import { createBookStore } from '../../market/books/book-store.ts';
import { createInstrumentIdentities } from '../../market/identity.ts';
import { createMarket } from '../../market/live-table.ts';
import type { Ports } from '../../products/define-product.ts';
import { DAY_MS } from '../../runtime/duration.ts';
import { readPorts } from '../../runtime/port.ts';
import { Tape } from '../../tape/tape.ts';
import { bitget } from '../../venues/bitget/index.ts';
import { openCalendar } from './open-calendar.ts';
import { perpCalendar } from './perp-calendar.ts';
import { CALENDAR } from './port.ts';

let rig: CollectorRig;
eachWithRig((made) => {
  rig = made;
});
let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'calendar-collected-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const PATH = '/api/v2/mix/market';
const answered = (data: unknown) => JSON.stringify({ code: '00000', msg: 'success', requestTime: 1, data });

type Row = Readonly<Record<string, string>>;
const row = (base: string, more: Row = {}): Row => ({
  symbol: `${base}USDT`,
  baseCoin: base,
  quoteCoin: 'USDT',
  takerFeeRate: '0.0006',
  sizeMultiplier: '0.001',
  symbolType: 'perpetual',
  symbolStatus: 'normal',
  fundInterval: '8',
  isRwa: 'NO',
  ...more,
});

/** The lists of the venue, which the test changes; undefined = the venue answers with an error. */
const lists: { usdt: readonly Row[] | undefined; usdc: readonly Row[] | undefined } = {
  usdt: [],
  usdc: [],
};

/** A service from the venue's answers to the calendar's. */
function collected() {
  const { clock } = rig.time;
  const identity = createInstrumentIdentities(memoryIdentityStore());
  const market = createMarket({ clock, identity, sourceIds: memorySourceIdStore() });
  const { bookSink } = createBookStore({ clock });
  const tape = new Tape({ table: market.sink, books: bookSink, logger: silentLogger });
  const opened = openCalendar({ options: { dataDir } as ServiceOptions, market });
  tape.listen('calendar', opened.listens ?? {});
  const readPort = readPorts(...(opened.ports ?? []));
  const collector = rig.collect([bitget], {
    sink: tape.sinks.market,
    bases: { bitget: { rest: rig.server.url, ws: 'ws://127.0.0.1:1' } },
  });
  const ports = { market: market.view, clock, readPort } as unknown as Ports;
  const listAt = () => readPort(CALENDAR).watched('bitget')?.listAt ?? 0;
  return {
    collector,
    /** Waits for whole lists that were asked for from now on. */
    async wholeLists(count: number) {
      for (let i = 0; i < count; i++) {
        const from = Math.max(listAt(), rig.time.now);
        await rig.until(() => expect(listAt()).toBeGreaterThan(from), 10_000);
      }
    },
    async ask(more: object = {}) {
      const plan = perpCalendar.plan(
        { limit: 100, from: iso(asMs(clock.now() - 10 * DAY_MS)), ...more },
        ports,
      );
      const made = plan.ok ? await plan.value.produce() : plan;
      if (!made.ok || !('json' in made.value.content)) throw new Error(JSON.stringify(made));
      return made.value.content.json as { events: Record<string, unknown>[]; watched: unknown };
    },
    listed: () => market.view.listings({ venue: 'bitget' }).map(({ symbol }) => symbol),
    async stop() {
      await collector.stop();
      await opened.stop?.();
    },
  };
}

beforeEach(() => {
  lists.usdt = [];
  lists.usdc = [row('BTC', { symbol: 'BTCPERP', quoteCoin: 'USDC' })];
  const list =
    (rows: () => readonly Row[] | undefined) => (res: Parameters<(typeof rig.answers)[string]>[0]) => {
      const now = rows();
      if (now === undefined) res.writeHead(500);
      res.end(now === undefined ? '' : answered(now));
    };
  const quotes = (names: () => readonly Row[] | undefined) =>
    list(() =>
      (names() ?? []).map(({ symbol = '' }) => ({
        symbol,
        markPrice: '2',
        indexPrice: '2',
        fundingRate: '0.0001',
        holdingAmount: '1',
        baseVolume: '1',
        quoteVolume: '2',
        ts: String(rig.time.now),
      })),
    );
  for (const [name, rows] of [
    ['USDT', () => lists.usdt],
    ['USDC', () => lists.usdc],
  ] as const) {
    rig.answers[`${PATH}/contracts?productType=${name}-FUTURES`] = list(rows);
    rig.answers[`${PATH}/tickers?productType=${name}-FUTURES`] = quotes(rows);
    rig.answers[`${PATH}/current-fund-rate?productType=${name}-FUTURES`] = quotes(() => []);
  }
});

const kindsOf = (events: readonly Record<string, unknown>[]) =>
  events.map(({ kind, source, venue_symbol }) => [kind, source, venue_symbol]);

it('a venue changes its list: one event each, also over a restart', async () => {
  const usual = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE'].map((base) => row(base));
  lists.usdt = [...usual, row('MATIC')];
  let service = collected();
  await service.collector.start();
  // The first list comes before the quotes that tell intervals.
  await service.wholeLists(2);
  expect((await service.ask()).events).toEqual([]);
  const launch = rig.time.now + 5 * DAY_MS;
  lists.usdt = [
    row('AAA', { fundInterval: '4' }),
    row('BBB', { takerFeeRate: '0.0002' }),
    row('CCC', { symbolStatus: 'maintain' }),
    row('DDD', { offTime: String(launch) }),
    row('POL'),
    row('NEW', { symbolStatus: 'listed', launchTime: String(launch) }),
  ];
  await service.wholeLists(1);
  // The second list that shows it is one of the next process.
  await service.stop();
  service = collected();
  await service.collector.start();
  await service.wholeLists(3);
  const { events, watched } = await service.ask();
  expect(kindsOf(events).sort()).toEqual(
    [
      ['interval_changed', 'seen', 'AAAUSDT'],
      ['fee_changed', 'seen', 'BBBUSDT'],
      ['halted', 'seen', 'CCCUSDT'],
      ['delisted', 'announced', 'DDDUSDT'],
      ['delisted', 'seen', 'EEEUSDT'],
      ['delisted', 'seen', 'MATICUSDT'],
      ['listed', 'seen', 'POLUSDT'],
      ['renamed', 'seen', 'POLUSDT'],
      ['listed', 'announced', 'NEWUSDT'],
    ].sort(),
  );
  const of = (kind: string, symbol: string) =>
    events.find((event) => event.kind === kind && event.venue_symbol === symbol);
  expect(of('interval_changed', 'AAAUSDT')).toMatchObject({
    before: { funding_interval_hours: 8 },
    after: { funding_interval_hours: 4 },
    announced_for: null,
    announced_reason: 'not_stated',
  });
  expect(of('fee_changed', 'BBBUSDT')).toMatchObject({
    before: { taker_fee_bps: 6 },
    after: { taker_fee_bps: 2 },
  });
  expect(of('listed', 'NEWUSDT')).toMatchObject({ ticker: 'NEW', time: iso(asMs(launch)) });
  expect(watched).toMatchObject([{ venue: 'bitget', watched_since: expect.any(String) }]);
  const ahead = await service.ask({ from: iso(asMs(rig.time.now)) });
  expect(kindsOf(ahead.events)).toEqual([
    ['delisted', 'announced', 'DDDUSDT'],
    ['listed', 'announced', 'NEWUSDT'],
  ]);
  await service.stop();
});

it('a part of the list away, or the venue: nothing is gone', async () => {
  lists.usdt = ['AAA', 'BBB', 'CCC'].map((base) => row(base));
  let service = collected();
  await service.collector.start();
  await service.wholeLists(1);
  await service.stop();
  // After a restart the list is published without its missing part.
  lists.usdc = undefined;
  service = collected();
  await service.collector.start();
  const listsAsked = () => rig.hits.filter((path) => path.includes('contracts?')).length;
  await rig.until(() => expect(listsAsked()).toBeGreaterThan(20), 10_000);
  expect(service.listed()).toEqual(['AAAUSDT', 'BBBUSDT', 'CCCUSDT']);
  lists.usdt = undefined;
  const before = listsAsked();
  await rig.until(() => expect(listsAsked()).toBeGreaterThan(before + 20), 10_000);
  expect((await service.ask()).events).toEqual([]);
  lists.usdt = ['AAA', 'BBB', 'CCC'].map((base) => row(base));
  lists.usdc = [row('BTC', { symbol: 'BTCPERP', quoteCoin: 'USDC' })];
  await service.wholeLists(3);
  expect((await service.ask()).events).toEqual([]);
  await service.stop();
});
