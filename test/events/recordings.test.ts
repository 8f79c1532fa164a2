import { describe, expect, it } from 'vitest';
import { FAULT_REASONS } from '../../src/domain/reject.ts';
import { EVENT_SAMPLES, type EventSample, eventSamples, recordsOf } from './recordings.ts';

const samples = eventSamples();
const faults: ReadonlySet<unknown> = new Set(FAULT_REASONS);

/** Rows that a source cut: without a time, or with the times of a document. */
const CUT: ReadonlySet<string> = new Set([
  'rest-executions-partial-liquidation-2026-07.json',
  'ws-aggtrade-doc.json',
  'rest-deals-2021-01.json',
]);

/** Readings that their sources state: what was liquidated, and its value in dollars. */
const STATED: Readonly<Record<string, readonly [side: string, usd: number | null]>> = {
  'binance ws-forceorder-2023-11.json': ['short', 50_237.0889],
  'binance ws-forceorder-partial-2020-03.json': ['short', 65.88456],
  'bitget ws-v3-liquidation-2026-04.json': ['long', 13.70319],
  'bybit ws-allliquidation-2025-02.json': ['short', 899.8],
  'bybit ws-allliquidation-long-2026-09.json': ['long', 50.9245],
  'deribit ws-trades-liquidation-T-2020-03.json': ['long', 1120],
  'dydx ws-trades-liquidated-2024-08.json': ['long', 89.193],
  'gate rest-liq-orders-2023-10.json': ['short', null],
  'htx ws-liquidation-orders-2020-12.json': ['long', 5300.5635],
  'htx rest-v5-liquidation-orders-2026-06.json': ['short', 125.957],
  'hyperliquid ws-user-fill-liquidation-2026-06.json': ['short', 66.653],
  'kraken ws-trade-liquidation-2020-07.jsonl': ['long', 12_000],
  'lighter ws-liquidation-long-2026-09.json': ['long', 282.29964],
  'lighter ws-trade-subscribed-2026-04.json': ['short', 1258.030592],
  'nado ws-liquidation-shape.json': ['long', 1350],
  'okx ws-liquidation-orders-2023-08.json': ['short', null],
};

const nameOf = ({ venue, file }: EventSample): string => `${venue} ${file}`;

describe.skipIf(samples.length === 0)(`recorded events (at ${EVENT_SAMPLES})`, () => {
  it.each(samples)('$venue $file: events or reasons, and no fault', (sample) => {
    const records = recordsOf(sample);
    expect(records.length).toBeGreaterThan(0);
    const found = records.filter(({ reason }) => faults.has(reason));
    expect(found.length > 0).toBe(CUT.has(sample.file));
  });

  it.each(samples.filter((sample) => nameOf(sample) in STATED))(
    '$venue $file: as its source reads it',
    (sample) => {
      const [side, usd] = STATED[nameOf(sample)] ?? [];
      const [first] = recordsOf(sample).filter(({ type }) => type === 'liquidation');
      expect(first).toMatchObject({
        side,
        size_usd: typeof usd === 'number' ? expect.closeTo(usd, 6) : null,
      });
    },
  );

  it('no address of an account is printed', () => {
    const text = JSON.stringify(samples.flatMap(recordsOf));
    expect(text).not.toMatch(/0x[0-9a-f]{6}/i);
  });

  it('a snapshot and an update of bitget with one trade: a repeat', () => {
    const found = samples.filter(({ file }) => file === 'ws-v3-publictrade-2026-04.jsonl').flatMap(recordsOf);
    expect(found.map(({ id, repeat }) => [id, repeat])).toEqual([
      ['1432912492051054592', undefined],
      ['1432912492051054592', true],
    ]);
  });

  it('two trades of extended whose ids differ in the last digit: both', () => {
    const ids = samples
      .filter(({ file }) => file === 'ws-public-trades-2026-09.json')
      .flatMap(recordsOf)
      .map(({ id }) => id);
    expect(ids).toEqual(['2104498792354025474', '2104498792354025475']);
  });
});
