import { describe, expect, it, onTestFinished } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { CALENDAR } from '../../src/modules/calendar/port.ts';
import { judge } from '../../src/modules/watch/judge.ts';
import type { AskedCondition } from '../../src/modules/watch-conditions/condition.ts';
import { netReading } from '../../src/modules/watch-conditions/kind-readings.ts';
import { fill } from '../../src/runtime/port.ts';
import { conditionFrom, marketRig, watchRig } from './watch-rig.ts';

const VENUES = ['binance', 'bybit', 'okx'];

/** A watch over three venues, whose rates are set again at each look. */
function rigOf(asked: Partial<AskedCondition>) {
  const market = marketRig();
  for (const venue of VENUES) market.list(venue, ['BTC']);
  const quote = (rates: Readonly<Record<string, number>>): void => {
    for (const [venue, fundingRate] of Object.entries(rates)) {
      const row = {
        symbol: 'BTCUSDT',
        markPrice: 100 + fundingRate * 1000,
        fundingRate,
        fundingIntervalHours: 8,
      };
      market.tape.sinks.market.quotes(venue, [row as never], market.now());
    }
  };
  const rig = watchRig(market);
  onTestFinished(() => rig.close());
  const look = (rates: Readonly<Record<string, number>>, minutes: number): void => {
    for (let passed = 0; passed < minutes * 20; passed += 1) {
      quote(rates);
      rig.turn(2, 1500);
    }
  };
  const all = { binance: 0.0001, bybit: 0.0002, okx: 0.0009 };
  look(all, 0.5);
  const id = rig.hold(conditionFrom(market, { ticker: 'BTC', ...asked }));
  look(all, 1);
  return { ...rig, market, id, look, all };
}

const others = { binance: 0.0001, bybit: 0.00011 };

describe('a condition over several venues, of which one falls silent', () => {
  it.each([
    ['spread', 'binance,bybit,okx'],
    ['spread', undefined],
    ['price_gap', 'binance,bybit,okx'],
    ['price_gap', undefined],
  ] as const)('%s of %s: not cleared, told as unknown, then known', (kind, venue) => {
    const rig = rigOf({ kind, above: 5, ...(venue !== undefined && { venue }) });
    expect(rig.kinds()).toEqual(['fired']);
    rig.look(others, 6);
    expect(rig.told.map((each) => [each.kind, each.reason])).toEqual([
      ['fired', undefined],
      ['unknown', 'venue_away'],
    ]);
    rig.look(rig.all, 1);
    expect(rig.kinds()).toEqual(['fired', 'unknown', 'known']);
  });

  it('the silent one did not make the value, and none is named: known', () => {
    const rig = rigOf({ kind: 'spread', above: 5 });
    rig.look({ binance: 0.00005, okx: 0.0009 }, 6);
    expect(rig.kinds()).toEqual(['fired']);
    rig.look({ binance: 0.0009, okx: 0.0009 }, 1);
    expect(rig.kinds()).toEqual(['fired', 'cleared']);
  });
});

describe('events of a list that is read no more', () => {
  it('the last list is older than half an hour: unknown', () => {
    let listAt = 0;
    const calendar = { events: [], watched: () => ({ since: asMs(0), listAt: asMs(listAt) }) };
    const market = marketRig([fill(CALENDAR, calendar)]);
    market.list('binance', ['BTC']);
    const rig = watchRig(market);
    onTestFinished(() => rig.close());
    listAt = market.now();
    rig.turn(2);
    const id = rig.hold(conditionFrom(market, { kind: 'halted', ticker: 'BTC', venue: 'binance' }));
    rig.turn(20, 60_000);
    expect(rig.desk.find(id)?.progress.unknownSince).toBeUndefined();
    rig.turn(20, 60_000);
    expect(rig.told).toMatchObject([{ kind: 'unknown', reason: 'no_list' }]);
    listAt = market.now();
    rig.turn(30);
    expect(rig.kinds()).toEqual(['unknown', 'known']);
  });
});

describe('values that are known without a figure', () => {
  it('a rate of zero: known, and no flip', () => {
    const rig = rigOf({ kind: 'flip', venue: 'okx' });
    rig.look({ okx: 0 }, 6);
    expect([rig.kinds(), rig.desk.find(rig.id)?.progress.missing]).toEqual([[], []]);
    rig.look({ okx: 0.0001 }, 1);
    rig.look({ okx: -0.0001 }, 1);
    expect(rig.kinds()).toEqual(['fired']);
  });

  it('net yield of equal rates: not above 0, and not unknown', () => {
    const rig = rigOf({
      kind: 'net_apr',
      above: 0,
      venue: 'binance,okx',
      fees: 'binance:5,okx:5',
    });
    rig.look({ binance: 0.0001, okx: 0.0001 }, 6);
    expect(rig.desk.find(rig.id)?.progress.unknownSince).toBeUndefined();
    expect(rig.kinds()).not.toContain('fired');
  });

  it.each([
    [{ above: 0 }, 'false'],
    [{ above: 20, reset: -5 }, 'false'],
    [{ above: -5 }, 'unknown'],
    [{ below: 5 }, 'true'],
    [{ below: 0 }, 'unknown'],
  ])('a value that is 0 at most, against %o: %s', (level, state) => {
    const reset = Object.values(level)[0];
    const condition = { kind: 'net_apr', reset, ...level } as never;
    const { value, atMost } = netReading({ opportunities: [], unassessed: { below_min_diff: 1 } });
    expect([value, atMost]).toEqual([null, 0]);
    const seen = { value: null, values: {}, rowsAt: undefined, reason: 'no_value', atMost: 0 };
    expect(judge(condition, seen, 'armed', undefined).judged.state).toBe(state);
  });

  it('no pair for another reason: nothing is known', () => {
    const body = { opportunities: [], unassessed: { below_min_diff: 0, fee_unknown: 1 } };
    expect(netReading(body).atMost).toBeUndefined();
  });
});
