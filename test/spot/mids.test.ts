import { expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import type { VenueId } from '../../src/domain/venue.ts';
import { FIXTURE_NOW, makeRow } from '../../src/market/row-fixture.ts';
import { spotMidsBeside } from '../../src/modules/spot-market/market/spot-mids.ts';
import type { SpotRow, SpotVenueState } from '../../src/modules/spot-market/market/spot-table.ts';

type View = Parameters<typeof spotMidsBeside>[0];
type Ports = Parameters<ReturnType<typeof spotMidsBeside>>[1];

const row = makeRow();
const price = row.markPrice ?? 0;

interface Given {
  readonly rows?: readonly SpotRow[];
  readonly apart?: number;
  /** Ages of the tickers of venues, ms; undefined = none has come. */
  readonly ages?: readonly (number | undefined)[];
  /** Venues whose perpetual side is live. */
  readonly live?: readonly string[];
}

/** The reason that the basis states of a row's spot. */
function reasonOf({ rows = [], apart = 0, ages = [0], live = [] }: Given): unknown {
  const venues = ages.map((age) => ({
    tickersAt: age === undefined ? undefined : asMs(FIXTURE_NOW - age),
  })) as unknown as readonly SpotVenueState[];
  const view: View = { rowsOf: () => rows, apart: () => apart, venues: () => venues };
  const market = {
    venue: (venue: string) => ({ status: live.includes(venue) ? 'live' : 'stale' }),
    contractsOf: () => [],
  };
  const ports = { market, clock: { now: () => FIXTURE_NOW } } as unknown as Ports;
  return spotMidsBeside(view)([row], ports)[0]?.fields.spot_reason;
}

function spotRow(venue: VenueId, ageMs: number): SpotRow {
  const market = { venue, symbol: 'BTCUSDT', quote: row.quote, multiplier: 1 };
  const ticker = { midPrice: price };
  return { market, ticker, receivedAt: asMs(FIXTURE_NOW - ageMs) } as unknown as SpotRow;
}

it.each<[string, Given, string | null]>([
  ['no venue has been heard', { ages: [] }, 'not_received'],
  ['one venue has not been heard', { ages: [0, undefined] }, 'not_received'],
  ['all were heard, and none has it', { ages: [0, 90_000] }, 'no_market'],
  ['markets of the name at another price', { apart: 2 }, 'price_differs'],
  ['the same, by prices of long ago', { apart: 2, ages: [90_000] }, 'stale'],
  ['its tickers are old', { rows: [spotRow('okx', 90_000)], live: ['okx'] }, 'stale'],
  ['its venue is not live', { rows: [spotRow('okx', 0)] }, 'stale'],
  [
    'it states no middle',
    { rows: [{ ...spotRow('okx', 0), ticker: {} as never }], live: ['okx'] },
    'not_stated',
  ],
  ['it is the venue of the row itself', { rows: [spotRow(row.venue, 0)] }, null],
])('spot beside a row, %s: said so', (_, given, reason) => {
  expect(reasonOf(given)).toBe(reason);
});
