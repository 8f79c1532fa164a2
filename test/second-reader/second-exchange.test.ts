import type { ChildProcess } from 'node:child_process';
import { createWorld } from '@perpmeter/sim/create-world';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type CcxtModule, loadCcxt } from '../../src/collect/ccxt/load-module.ts';
import { failed } from '../../src/collect/transport-failure.ts';
import type { QuotePatch } from '../../src/domain/quote.ts';
import { isWire } from '../../src/domain/read.ts';
import { asMs } from '../../src/domain/units.ts';
import { startChild } from '../../src/host/process/child.ts';
import { CcxtReading } from '../../src/modules/second-reader/ccxt/ccxt-reading.ts';
import { CCXT_PROGRAM } from '../../src/modules/second-reader/ccxt/program.ts';
import { openHere } from '../../src/modules/second-reader/ccxt/second-exchange.ts';
import {
  isAboutAll,
  secondByCcxt,
  secondDecoder,
} from '../../src/modules/second-reader/ccxt/second-fields.ts';
import { SecondProcess } from '../../src/modules/second-reader/ccxt/second-process.ts';
import {
  knownTo,
  type SecondSend,
  type SecondVenue,
} from '../../src/modules/second-reader/ccxt/second-venue.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { hyperliquidDex } from '../../src/venues/hyperliquid/index.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { type Pairing, pairingsOf, type Run, renderRequest, runAdapter } from '../venues/sim-run.ts';

const AT = asMs(Date.UTC(2026, 9, 20, 13, 20));
const ASKED = 3;
const world = createWorld(1);
const PAIRINGS = pairingsOf(
  VENUES.filter((adapter) => secondByCcxt(adapter) !== undefined),
  SIM_VENUES,
  world,
  AT,
);
/** Discovered, as when the service runs. */
const DEXES = PAIRINGS.filter(({ adapter }) => adapter.parent === 'hyperliquid');

function pairingNamed(id: string): Pairing {
  const found = PAIRINGS.find(({ adapter }) => adapter.id === id);
  if (found === undefined) throw new Error(`no ${id}`);
  return found;
}

let module: CcxtModule;

beforeAll(async () => {
  module = await loadCcxt();
});

const open = openHere(
  async () => module,
  () => AT,
);

/** Answers as the simulated venue does. */
function sendTo(pairing: Pairing): SecondSend {
  return async (request) => {
    const answer = renderRequest(pairing, world, request, AT);
    if (answer?.status !== 200) return failed('status', `HTTP ${answer?.status} ${request.path}`);
    return { ok: true, value: { payload: JSON.parse(answer.body) as unknown, receivedAt: AT } };
  };
}

async function exchangeOf(pairing: Pairing): Promise<SecondVenue> {
  const made = await open(pairing.adapter, sendTo(pairing));
  if (made === undefined) throw new Error(`ccxt does not have ${pairing.adapter.id}`);
  return made;
}

/** A reading of a venue's contracts, whose time the test sets; what ccxt lists is asked for ten minutes on. */
function readingOf({ adapter }: Pairing, instruments: Run['instruments'], send: SecondSend) {
  const time = { now: AT };
  const reading = new CcxtReading(adapter, {
    open,
    send,
    clock: { now: () => time.now },
    instruments: () => instruments,
    markOf: () => undefined,
    heldMs: 0,
  });
  const [instrument] = instruments.values();
  if (instrument === undefined) throw new Error('no contract');
  return {
    reading,
    symbol: instrument.symbol,
    look: () => reading.look(instrument),
    pass: (ms: number): void => {
      time.now = asMs(time.now + ms);
    },
  };
}

/** Amounts that a venue states in one of two forms: the other one, and whether that is base x mark. */
const OTHER_FORM: Partial<Record<keyof QuotePatch, readonly [keyof QuotePatch, isBase: boolean]>> = {
  openInterestBase: ['openInterestUsd', true],
  openInterestUsd: ['openInterestBase', false],
  volume24hBase: ['volume24hUsd', true],
  volume24hUsd: ['volume24hBase', false],
};

/** Our decoders' value of a field; amounts in the form that ccxt has. */
function oursOf(patch: QuotePatch | undefined, field: keyof QuotePatch): number {
  const stated = patch?.[field];
  const other = OTHER_FORM[field];
  if (stated !== undefined || other === undefined) return Number(stated);
  const [name, isBase] = other;
  const mark = Number(patch?.markPrice);
  return isBase ? Number(patch?.[name]) / mark : Number(patch?.[name]) * mark;
}

describe('ccxt as a second way', () => {
  it.each(PAIRINGS.map((pairing) => [pairing.adapter.id, pairing] as const))(
    'reads what is missing at %s as our decoders do',
    async (_, pairing) => {
      const { adapter } = pairing;
      const { exchange: name, calls } = secondByCcxt(adapter) ?? { exchange: '', calls: [] };
      const exchange = await exchangeOf(pairing);
      const markets = await exchange.load();
      if (!markets.ok) throw new Error(markets.failure.reason);
      const { instruments, quotes } = runAdapter(pairing, world, AT);
      const known = knownTo(markets.value, instruments);
      expect(known.size).toBeGreaterThan(0.8 * instruments.size);
      const markOf = (symbol: string) => quotes.get(symbol)?.markPrice;
      for (const second of calls) {
        const read = new Set<string>();
        for (const { altId } of [...known.values()].slice(0, isAboutAll(second.call) ? 1 : ASKED)) {
          const answer = await exchange.ask(second.call, isAboutAll(second.call) ? undefined : altId);
          if (!answer.ok) throw new Error(`${second.call}: ${answer.failure}`);
          const { payload, receivedAt } = answer.value;
          const decoded = secondDecoder(
            adapter,
            name,
            second,
          )(payload, { instruments: known, receivedAt, markOf });
          for (const patch of decoded.quotes) {
            for (const field of second.fields.filter((field) => patch[field] !== undefined)) {
              read.add(field.slice(0, 8));
              const ours = oursOf(quotes.get(patch.symbol), field);
              expect(Number(patch[field]) / ours, `${second.call} ${patch.symbol} ${field}`).toBeCloseTo(
                1,
                2,
              );
            }
          }
        }
        expect([...read].sort()).toEqual(
          [...new Set(second.fields.map((field) => field.slice(0, 8)))].sort(),
        );
      }
    },
    120_000,
  );

  it('a foreign host: nothing is sent, and the call tells why', async () => {
    const [pairing] = PAIRINGS;
    if (pairing === undefined) throw new Error('no venue');
    const asked: string[] = [];
    const adapter = { ...pairing.adapter, bases: { rest: 'https://elsewhere.example' } };
    const exchange = await open(adapter, async ({ path }) => {
      asked.push(path);
      return failed('timeout', 'late');
    });
    expect(await exchange?.load()).toMatchObject({ ok: false, failure: { kind: 'refused' } });
    expect(asked).toEqual([]);
    const refused = await open(pairing.adapter, async () => failed('timeout', 'late'));
    expect(await refused?.load()).toMatchObject({ ok: false, failure: { kind: 'timeout', reason: 'late' } });
  });

  it.each([pairingNamed('hyperliquid'), ...DEXES].map((pairing) => [pairing.adapter.id, pairing] as const))(
    'lists and reads %s by one request a look, which names the dex',
    async (id, pairing) => {
      const bodies: unknown[] = [];
      const { look, pass, symbol } = readingOf(
        pairing,
        runAdapter(pairing, world, AT).instruments,
        (request) => {
          bodies.push(JSON.parse(request.body ?? ''));
          return sendTo(pairing)(request);
        },
      );
      const dex = id.replace(/^hyperliquid-?/, '');
      const question = { type: 'metaAndAssetCtxs', ...(dex !== '' && { dex }) };
      pass(10 * MINUTE_MS);
      for (const looks of [1, 2]) {
        const answers = await look();
        const ways = ['ccxt fetchFundingRates', 'ccxt fetchOpenInterests', 'ccxt fetchTickers'];
        expect(answers.map(({ way }) => way)).toEqual(ways);
        const read = answers
          .flatMap(({ decoded }) => decoded.quotes)
          .filter((answer) => answer.symbol === symbol);
        expect(Object.keys(Object.assign({}, ...read)).sort()).toEqual(
          'fundingRate indexPrice markPrice openInterestBase symbol volume24hUsd'.split(' '),
        );
        expect(bodies).toEqual(Array.from({ length: looks }, () => question));
      }
    },
  );

  it('a dex unknown to the venue: nothing, and a new list in an hour', async () => {
    const pairing = { ...pairingNamed('hyperliquid-io'), adapter: hyperliquidDex('nowhere') };
    let requests = 0;
    const { instruments } = runAdapter(pairingNamed('hyperliquid-io'), world, AT);
    const { reading, look, pass } = readingOf(pairing, instruments, (request) => {
      requests += 1;
      return sendTo(pairing)(request);
    });
    for (const minutes of [10, 1, 60]) {
      pass(minutes * MINUTE_MS);
      expect(await look()).toEqual([]);
    }
    expect(reading.ways).toEqual([]);
    expect(requests).toBe(2);
  });

  it('lets a call rest for an hour that fails three times on end', async () => {
    const pairing = pairingNamed('hibachi');
    let interests = 0;
    const { look, pass } = readingOf(pairing, runAdapter(pairing, world, AT).instruments, async (request) => {
      const isInterest = request.path.includes('open-interest');
      if (isInterest) interests += 1;
      return isInterest ? failed('status', 'HTTP 404', 404) : sendTo(pairing)(request);
    });
    expect(await look()).toEqual([]);
    pass(10 * MINUTE_MS);
    for (let looks = 0; looks < 5; looks++) {
      const ways = (await look()).map(({ way }) => way);
      expect(ways).toEqual(['ccxt fetchFundingRate', 'ccxt fetchTicker']);
    }
    expect(interests).toBe(3);
    pass(HOUR_MS);
    await look();
    expect(interests).toBe(4);
  });

  it('in a process of its own: same answers, started again after an end', async () => {
    const pairing = pairingNamed('hibachi');
    const started: ChildProcess[] = [];
    const ends: string[] = [];
    const process = new SecondProcess({
      start: () => {
        const child = startChild('ccxt', CCXT_PROGRAM, []).process;
        started.push(child);
        return child;
      },
      onEnd: (reason) => ends.push(reason),
    });
    const here = await exchangeOf(pairing);
    const there = await process.open(pairing.adapter, sendTo(pairing));
    expect(await process.open({ ...pairing.adapter, id: 'nowhere' }, sendTo(pairing))).toBeUndefined();
    const dex = pairingNamed('hyperliquid-io');
    const listedDex = await (await process.open(dex.adapter, sendTo(dex)))?.load();
    expect(listedDex).toMatchObject({ ok: true, value: { length: 10 } });
    const listed = await there?.load();
    expect(listed).toEqual(await here.load());
    const [market] = listed?.ok === true ? listed.value : [];
    const rates = [here, there].map((venue) => venue?.ask('fetchFundingRate', market?.symbol));
    const [rate, same] = await Promise.all(rates);
    if (rate?.ok !== true || !isWire(rate.value.payload)) throw new Error('no rate');
    const { info, symbol, fundingRate } = rate.value.payload;
    expect(same).toMatchObject({
      ok: true,
      value: { receivedAt: AT, payload: { info, symbol, fundingRate } },
    });
    started[0]?.kill('SIGKILL');
    await vi.waitFor(() => expect(ends).toEqual(['the process of ccxt has ended (SIGKILL)']), 60_000);
    expect(await there?.load()).toEqual(listed);
    expect(started).toHaveLength(2);
    process.stop();
    expect(await there?.load()).toMatchObject({ ok: false, failure: { kind: 'aborted' } });
  }, 120_000);
});
