import { describe, expect, it } from 'vitest';
import { LIQUIDATIONS } from '../../src/modules/events/completeness.ts';
import { EVENT_VENUES } from '../../src/modules/events/registry.ts';
import { decodeCase } from './decode-case.ts';
import { EVENT_FRAMES } from './event-frames.ts';

/** Numbers of a row are compared to twelve digits: their factors are binary. */
const near = (value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? expect.closeTo(value, 12) : value;

const said = (rows: readonly object[] = []) =>
  rows.map((row) =>
    expect.objectContaining(
      Object.fromEntries(Object.entries(row).map(([key, value]) => [key, near(value)])),
    ),
  );

describe('frames of liquidations and trades', () => {
  it.each(EVENT_FRAMES)('$venue, $when', (given) => {
    const { liquidations, trades, rejects } = decodeCase(given);
    expect(liquidations).toEqual(said(given.liquidations));
    expect(trades).toEqual(said(given.trades));
    expect(rejects.map(({ reason }) => reason)).toEqual(given.rejects ?? []);
  });

  it('every venue: a frame of trades, and of liquidations if published', () => {
    const having = (kind: 'liquidations' | 'trades') =>
      new Set(EVENT_FRAMES.filter((given) => (given[kind] ?? []).length > 0).map(({ venue }) => venue));
    const traded = having('trades');
    const liquidated = having('liquidations');
    const publishing = Object.keys(LIQUIDATIONS).filter(
      (id) => LIQUIDATIONS[id]?.completeness !== 'not_published',
    );
    expect(EVENT_VENUES.filter(({ id }) => !traded.has(id)).map(({ id }) => id)).toEqual([]);
    expect(publishing.filter((id) => !liquidated.has(id))).toEqual([]);
  });

  it('an unknown mark of a row: a reject, not a trade', () => {
    const marks = { tT: 'NEW', type: 'new', trade_type: 'NEW', tc: 'new', X: 'NEW', event_type: 'new' };
    const changed = EVENT_FRAMES.flatMap((given) =>
      Object.entries(marks).flatMap(([field, value]) => {
        const text = JSON.stringify(given.payload);
        const pattern = new RegExp(
          `"${field}":"(?:LIQUIDATION|liquidation|LIQUIDATED|TRADE|FILL|RPI|MARKET|market_liquidation|fulfill_taker)"`,
          'g',
        );
        const other = text.replace(pattern, `"${field}":"${value}"`);
        return other === text
          ? []
          : [{ given, payload: JSON.parse(other) as unknown, before: decodeCase(given) }];
      }),
    );
    expect(changed.length).toBeGreaterThan(5);
    for (const { given, payload, before } of changed) {
      const after = decodeCase(given, payload);
      const count = ({ liquidations, trades }: typeof after) => liquidations.length + trades.length;
      expect(count(after), given.when).toBeLessThan(count(before));
      expect(after.rejects.length, given.when).toBeGreaterThan(before.rejects.length);
    }
  });
});
