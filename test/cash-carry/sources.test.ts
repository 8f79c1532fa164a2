import { Client } from 'undici';
import { describe, expect, it } from 'vitest';
import { createBookStore } from '../../src/market/books/book-store.ts';
import { MINUTE_MS } from '../../src/runtime/duration.ts';
import { createExampleApi, manualClock } from '../api/example-api.ts';
import { createExampleHistory } from '../api/example-history.ts';
import { EXAMPLE_NOW, exampleRows } from '../api/example-market.ts';
import { examplePorts } from '../api/example-ports.ts';
import { exampleSpot } from '../api/example-spot.ts';
import { plainBooks } from '../spot/plain-books.ts';
import type { Json } from './recompute.ts';

/** Asks an API of the example market once. */
async function ask(path: string, options: Parameters<typeof createExampleApi>[0] = {}) {
  const { api, start } = createExampleApi({ mode: 'off', ...options });
  const client = new Client(await start());
  const { statusCode, headers, body } = await client.request({ method: 'GET', path });
  const answer = (await body.json()) as Json;
  await client.close();
  await api.close();
  const sources = String(headers['x-data-sources']).split(';')[0]?.split(',') ?? [];
  const asOf = Date.parse(String(headers['x-data-as-of']));
  return { status: statusCode, answer, sources, asOf };
}

const VENUES = ['spot_venue', 'perp_venue'] as const;

describe('the sources of cash and carry', () => {
  it('one pair shown of many: the venues of all of them', async () => {
    const all = await ask('/v1/perp/cash-carry?ticker=BTC&limit=100');
    const pairs = all.answer.pairs as readonly Json[];
    const venues = new Set(pairs.flatMap((pair) => VENUES.map((name) => String(pair[name]))));
    expect(venues.size).toBeGreaterThan(2);
    const one = await ask('/v1/perp/cash-carry?ticker=BTC&limit=1');
    expect(one.answer.pairs_count).toBe(1);
    expect(one.sources.toSorted()).toEqual([...venues].sort());
  });

  it('payments cannot be read: 503, and no answer that nothing was paid', async () => {
    const { reader, version } = createExampleHistory(exampleRows, manualClock());
    const fault = { kind: 'unavailable' as const, message: 'no server' };
    const failing = { ...reader, settledSpans: async () => ({ ok: false as const, fault }) };
    const { status, answer } = await ask('/v1/perp/cash-carry?ticker=BTC', {
      history: { version, reader: failing },
    });
    expect([status, answer.code]).toEqual([503, 'not_ready']);
  });
});

describe('the times of cash and carry', () => {
  const borrowed = EXAMPLE_NOW - 15 * MINUTE_MS;

  it('a coin that is sold: the age of its borrow rate counts', async () => {
    const path = '/v1/perp/cash-carry?ticker=BTC&limit=100';
    const short = await ask(`${path}&direction=short_spot`);
    const legs = short.answer.spot_markets as readonly Json[];
    const known = legs.flatMap(({ borrow_hourly: rate, borrow_received_at: at }) =>
      rate === null ? [] : [at],
    );
    expect(known.length).toBeGreaterThan(0);
    expect(new Set(known.map((at) => Date.parse(String(at))))).toEqual(new Set([borrowed]));
    expect(short.asOf).toBe(borrowed);
    const long = await ask(`${path}&direction=long_spot`);
    expect(long.asOf).toBeGreaterThan(borrowed);
  });
});

describe('what is unknown of a leg', () => {
  it('no borrow rate: null for the reason that the venue has', async () => {
    const { answer } = await ask('/v1/perp/cash-carry?ticker=BTC&limit=100');
    const reasons = (answer.spot_markets as readonly Json[]).map((leg) => [
      leg.venue,
      leg.borrow_reason,
      (leg.null_reasons as Json | undefined)?.borrow_hourly,
    ]);
    expect(reasons.toSorted()).toEqual([
      ['binance', 'not_published', 'not_published'],
      ['bybit', null, undefined],
      ['hyperliquid', 'closed', 'not_lent'],
      ['okx', null, undefined],
    ]);
    const pairs = (answer.pairs as readonly Json[]).filter((pair) => pair.direction === 'short_spot');
    const why = (venue: string): unknown =>
      (pairs.find((pair) => pair.spot_venue === venue)?.null_reasons as Json | undefined)?.borrow_8h_bps;
    expect([why('binance'), why('hyperliquid')]).toEqual(['not_published', 'not_lent']);
  });

  it.each([
    ['a history without payments: no hours', true, 0, undefined],
    ['no history: null with a reason', false, null, 'not_stored_then'],
  ] as const)('%s', async (_, isKept, hours, reason) => {
    const { reader, version } = createExampleHistory(exampleRows, manualClock());
    const empty = { ...reader, settledSpans: async () => ({ ok: true as const, value: [] }) };
    const kept = { history: { version, reader: empty } };
    const none = { history: undefined } as unknown as typeof kept;
    const { answer } = await ask('/v1/perp/cash-carry?ticker=BTC', isKept ? kept : none);
    const [perp] = answer.perps as readonly Json[];
    const { null_reasons: why, ...settled } = (perp?.settled_hours ?? {}) as Json;
    expect(settled).toEqual({ d1: hours, d7: hours, d30: hours });
    expect((why as Json | undefined)?.d7).toBe(reason);
  });
});

describe('cash and carry without a price', () => {
  it('no book of a spot market has come: 503, and nothing is sold', async () => {
    const { books: _, ...side } = exampleSpot();
    const books = plainBooks(createBookStore({ clock: manualClock() }).view);
    const readPort = examplePorts({ spot: { ...side, books } });
    const { answer, status } = await ask('/v1/perp/cash-carry?ticker=BTC', { readPort });
    expect([status, answer.code]).toEqual([503, 'not_ready']);
    expect(answer.detail).toMatch(/^No order book of a spot market/);
  });
});
