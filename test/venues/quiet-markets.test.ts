import { createWorld } from '@perpmeter/sim/create-world';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { describe, expect, it } from 'vitest';
import { StandingQuotes } from '../../src/collect/standing-quotes.ts';
import type { QuotePatch } from '../../src/domain/quote.ts';
import { asMs } from '../../src/domain/units.ts';
import { makeMarket } from '../../src/market/market-fixture.ts';
import type { VenueAdapter } from '../../src/venues/adapter.ts';
import { KNOWN_VENUES, VENUES } from '../../src/venues/registry.ts';
import { thinned } from './relisted-world.ts';
import { pairingsOf, runAdapter } from './sim-run.ts';
import { readVenuePage } from './venue-page.ts';

const AT = Date.UTC(2026, 9, 20, 13, 5, 0);
const FRAME_MS = 5000;
const QUIET_MS = 20 * 60_000;
const world = thinned(createWorld(1));
const streaming = KNOWN_VENUES.filter(({ streams }) => streams !== undefined);
const changing = streaming.filter(({ streams }) => streams?.some(({ repeats }) => !repeats));

/** All that the streams of a venue's simulated counterpart say at one moment. */
function streamed(adapter: VenueAdapter) {
  const pairing = pairingsOf(VENUES, SIM_VENUES, world, AT).find(
    (pairing) => pairing.adapter.id === adapter.id,
  );
  if (pairing === undefined) throw new Error(`${adapter.id} is not simulated`);
  const run = runAdapter(pairing, world, AT);
  const quotes: QuotePatch[] = run.calls
    .filter(({ kind }) => kind === 'stream')
    .flatMap(({ decoded }) => decoded.quotes);
  return { quotes, instruments: [...run.instruments.values()] };
}

/** A table that heard everything once, and then of one contract alone; both in the time of the fixture. */
function hearOneAlone(adapter: VenueAdapter, ms: number) {
  const { quotes, instruments } = streamed(adapter);
  const fixture = makeMarket();
  const { id } = adapter;
  fixture.list(id, instruments);
  const standing = new StandingQuotes();
  const now = () => asMs(fixture.now());
  const hear = (patches: readonly QuotePatch[]): void => {
    fixture.market.sink.quotes(id, patches, now());
    fixture.market.sink.quotes(id, standing.take(1, patches, now()), now());
  };
  hear(quotes.map(({ venueTime: _stamp, nextFundingTime: _next, ...values }) => values));
  const [busy] = quotes;
  const marked = fixture.market.view.rows().filter(({ markPrice }) => markPrice !== undefined).length;
  for (let t = 0; t < ms; t += FRAME_MS) {
    fixture.pass(FRAME_MS);
    if (busy !== undefined)
      hear([{ symbol: busy.symbol, ...(busy.markPrice && { markPrice: busy.markPrice }) }]);
  }
  return { rows: fixture.market.view.rows(), marked };
}

describe('streams of metrics', () => {
  it.each(streaming)('say in VENUE.md whether they repeat what has not changed: $id', (adapter) => {
    const text = readVenuePage(adapter)?.text ?? '';
    const repeats = adapter.streams?.every((stream) => stream.repeats);
    expect(text).toMatch(repeats ? /repeats|changed or not/ : /states? changes alone/);
  });

  it.each(changing)('keep quiet contracts fresh while others change: $id', (adapter) => {
    const { rows, marked } = hearOneAlone(adapter, QUIET_MS);
    expect(marked).toBeGreaterThan(1);
    const fresh = rows.filter((row) => row.fresh && row.markPrice !== undefined);
    expect(fresh).toHaveLength(marked);
  });
});
