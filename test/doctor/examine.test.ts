import type { Fault, FaultRule } from '@perpmeter/sim/faults';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Report } from '../../src/modules/doctor/examine.ts';
import type { Finding } from '../../src/modules/doctor/finding.ts';
import { DAY_MS } from '../../src/runtime/duration.ts';
import { adapterOf, VENUES } from '../../src/venues/registry.ts';
import { examineSimulated, FROM } from './doctor-rig.ts';

// The doctor's own sockets, over memory; the simulated venues' server has none to serve then.
vi.mock('ws', async (original) => ({
  ...(await original<typeof import('ws')>()),
  default: (await import('../books/memory-socket.ts')).MemorySocket,
}));

interface Planted {
  readonly what: string;
  readonly venue: string;
  readonly fault: Fault;
  readonly rule?: Partial<FaultRule>;
  readonly check: Finding['check'];
  readonly text: RegExp;
}

const PLANTED: readonly Planted[] = [
  {
    what: 'a host that moved',
    venue: 'backpack',
    fault: { kind: 'status', status: 301, location: 'https://api.moved.example/v2' },
    check: 'address',
    text: /HTTP 301 .* to api\.moved\.example/,
  },
  {
    what: 'a path that is gone',
    venue: 'whitebit',
    fault: { kind: 'status', status: 404, body: '{"error":"gone, 203.0.113.7"}' },
    rule: { path: '/futures' },
    check: 'address',
    text: /HTTP 404: \{"error":"gone, <address>"\}/,
  },
  {
    what: 'a retired host that still answers old data',
    venue: 'deribit',
    fault: { kind: 'stale', at: FROM - DAY_MS },
    check: 'age',
    text: /newest stamp is 24 h old: old data/,
  },
  {
    what: 'a feed that stands still',
    venue: 'apex',
    fault: { kind: 'stale' },
    check: 'age',
    text: /nothing of \d+ contracts moved in \d+ s: frozen/,
  },
  {
    what: 'streams that say nothing',
    venue: 'lighter',
    fault: { kind: 'silence' },
    check: 'address',
    text: /connected, \d+ frames, no data within 20 s/,
  },
  {
    what: 'a web page in place of data',
    venue: 'extended',
    fault: { kind: 'html' },
    rule: { on: 'rest' },
    check: 'address',
    text: /HTML instead of JSON: <!DOCTYPE html>/,
  },
  {
    what: 'a renamed field',
    venue: 'hyperliquid',
    fault: { kind: 'rename', field: 'openInterest', to: 'openInterestTotal' },
    check: 'fields',
    text: /no open interest in any answer; .*openInterest is gone, .*openInterestTotal is never read/,
  },
  {
    what: 'open interest that counts both sides now',
    venue: 'kraken',
    fault: { kind: 'scale', field: 'openInterest', by: 2 },
    check: 'sides',
    text: /declared one-sided, the numbers show two: \d+ of \d+ values odd in lots/,
  },
  {
    what: 'open interest in another unit',
    venue: 'mexc',
    fault: { kind: 'scale', field: 'holdVol', by: 10_000 },
    check: 'amounts',
    text: /times above the largest other venue/,
  },
  {
    what: 'a volume in another unit',
    venue: 'dydx',
    fault: { kind: 'scale', field: 'volume24H', by: 60_000 },
    check: 'amounts',
    text: /times above other venues .*: the unit of one of them/,
  },
  {
    what: 'prices in cents',
    venue: 'paradex',
    fault: { kind: 'scale', field: 'mark_price', by: 100 },
    check: 'price',
    text: /contracts beside the other venues' median: .* 100 times above/,
  },
  {
    what: 'rates in percent',
    venue: 'phemex',
    fault: { kind: 'scale', field: 'fundingRateRr', by: 100 },
    check: 'rate',
    text: /rates an hour are .* times above those of other venues/,
  },
  {
    what: 'another taker fee',
    venue: 'bitget',
    fault: { kind: 'scale', field: 'takerFeeRate', by: 2 },
    check: 'fee',
    text: /most contracts state a taker fee of 12 bps, declared are 6/,
  },
];
/** Venues without a fault beside them, to be compared with. */
const SOUND = ['binance', 'bybit', 'okx', 'grvt'];

describe('venues that match their declaration', () => {
  it('have no finding, and all their endpoints and streams were requested', async () => {
    const report = await examineSimulated(VENUES);
    expect(report.venues.flatMap(({ findings }) => findings)).toEqual([]);
    expect(report).toMatchObject({ here: [], isComplete: true, isWell: true });
    const ids = report.venues.map(({ venue }) => venue);
    expect(ids).toEqual(expect.arrayContaining([...VENUES.map(({ id }) => id), 'hyperliquid-xyz']));
    for (const { id, polls, streams = [], books, backfill = [] } of VENUES) {
      const names = report.venues.find(({ venue }) => venue === id)?.calls.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(polls.map(({ call }) => call.name)));
      expect(names).toEqual(expect.arrayContaining(streams.map(({ name }) => `stream ${name}`)));
      if (books?.stream !== undefined) expect(names).toContain('stream books');
      expect(names?.filter((name) => name.includes('(past ')).length ?? 0).toBeGreaterThanOrEqual(
        Math.min(1, backfill.length),
      );
    }
  });
});

describe('the report of a planted fault names the venue and the fault', () => {
  let report: Report;
  beforeAll(async () => {
    const ids = [...PLANTED.map(({ venue }) => venue), ...SOUND];
    const venues = ids.flatMap((id) => adapterOf(id) ?? []);
    const rules = PLANTED.map(({ venue, fault, rule }) => ({ ...rule, venue, fault }));
    report = await examineSimulated(venues, rules);
  });
  const findingsOf = (id: string): readonly Finding[] =>
    report.venues.find(({ venue }) => venue === id)?.findings ?? [];

  it.each(PLANTED)('$what: $venue', ({ venue, check, text }) => {
    const texts = findingsOf(venue).filter((found) => found.check === check && found.severity === 'wrong');
    expect(texts.map((found) => found.text)).toEqual(expect.arrayContaining([expect.stringMatching(text)]));
    expect(report.isWell).toBe(false);
  });

  it.each(SOUND)('has no finding for a healthy venue: %s', (venue) => {
    expect(findingsOf(venue).filter(({ severity }) => severity === 'wrong')).toEqual([]);
  });

  it('keeps redacted payloads of failed calls', () => {
    const calls = report.venues.find(({ venue }) => venue === 'whitebit')?.calls ?? [];
    const sample = calls.find((call) => call.asked > 0 && call.answered === 0)?.sample;
    expect(sample).toMatchObject({ status: 404, text: '{"error":"gone, <address>"}' });
  });
});
