import { expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import type { VenueId } from '../../src/domain/venue.ts';
import { FIXTURE_NOW, makeRow } from '../../src/market/row-fixture.ts';
import { spotMidsBeside } from '../../src/modules/spot-market/market/spot-mids.ts';
import type { LeftOut, SpotRow, SpotVenueState } from '../../src/modules/spot-market/market/spot-table.ts';

type View = Parameters<typeof spotMidsBeside>[0];
type Ports = Parameters<ReturnType<typeof spotMidsBeside>>[1];

const row = makeRow();
const price = row.markPrice ?? 0;

interface Given {
  readonly rows?: readonly SpotRow[];
  readonly leftOut?: Partial<LeftOut>;
  /** Ages of the tickers of venues, ms; undefined = none has come. */
  readonly ages?: readonly (number | undefined)[];
  /** Venues whose perpetual side is live. */
  readonly live?: readonly string[];
}

/** The fields of spot that the basis states beside a row. */
function midBeside({ rows = [], leftOut = {}, ages = [0], live = [] }: Given, perp = row) {
  const venues = ages.map((age) => ({
    tickersAt: age === undefined ? undefined : asMs(FIXTURE_NOW - age),
  })) as unknown as readonly SpotVenueState[];
  const view: View = {
    rowsOf: () => rows,
    leftOut: () => ({ apart: 0, untold: 0, old: 0, ...leftOut }),
    venues: () => venues,
  };
  const market = {
    venue: (venue: string) => ({ status: live.includes(venue) ? 'live' : 'stale' }),
    contractsOf: () => [],
  };
  const ports = { market, clock: { now: () => FIXTURE_NOW } } as unknown as Ports;
  return spotMidsBeside(view)([perp], ports)[0]?.fields;
}

function spotRow(venue: VenueId, ageMs: number, quote = row.quote, mid: number = price): SpotRow {
  const market = { venue, symbol: `BTC${quote}`, quote, multiplier: 1 };
  const ticker = { midPrice: mid };
  return { market, ticker, receivedAt: asMs(FIXTURE_NOW - ageMs) } as unknown as SpotRow;
}

it.each<[string, Given, string | null]>([
  ['no venue has been heard', { ages: [] }, 'not_received'],
  ['one venue has not been heard', { ages: [0, undefined] }, 'not_received'],
  ['all were heard, and none has it', { ages: [0, 90_000] }, 'no_market'],
  ['markets of the name at another price', { leftOut: { apart: 2, old: 1 } }, 'price_differs'],
  ['the same, by prices of long ago', { leftOut: { old: 2 } }, 'stale'],
  ['no index of this time', { leftOut: { untold: 1, old: 1 } }, 'no_index'],
  ['its tickers are old', { rows: [spotRow('okx', 90_000)], live: ['okx'] }, 'stale'],
  ['its venue is not live', { rows: [spotRow('okx', 0)] }, 'stale'],
  [
    'it states no middle',
    { rows: [{ ...spotRow('okx', 0), ticker: {} as never }], live: ['okx'] },
    'not_stated',
  ],
  ['it is the venue of the row itself', { rows: [spotRow(row.venue, 0)] }, null],
])('spot beside a row, %s: said so', (_, given, reason) => {
  expect(midBeside(given)?.spot_reason).toBe(reason);
});

it('an index of minutes before a move: spot is held against the mark', () => {
  const moved = makeRow({ mark: price * 1.05, index: price, indexAge: 5 * 60_000 });
  const beside = (mid: number) => midBeside({ rows: [spotRow(row.venue, 0, row.quote, mid)] }, moved);
  expect(beside(price * 1.05)).toMatchObject({ spot_mid: price * 1.05, spot_reason: null });
  expect(beside(price)?.spot_reason).toBe('price_differs');
  const young = makeRow({ mark: price * 1.05, index: price });
  const held = midBeside({ rows: [spotRow(row.venue, 0, row.quote, price)] }, young);
  expect(held?.spot_reason).toBeNull();
});

it('its own venue without a rate: another with one, else said so', () => {
  const own = spotRow(row.venue, 0, 'USDC');
  const other = spotRow('okx', 0);
  expect(midBeside({ rows: [own, other], live: ['okx'] })).toMatchObject({
    spot_venue: 'okx',
    spot_reason: null,
  });
  expect(midBeside({ rows: [own] })).toMatchObject({
    spot_venue: row.venue,
    spot_basis_bps: null,
    spot_reason: 'rate_unknown',
  });
});
