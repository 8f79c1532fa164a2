import { Client } from 'undici';
import { describe, expect, it } from 'vitest';
import { createBookStore } from '../../src/market/books/book-store.ts';
import { createExampleApi, manualClock } from '../api/example-api.ts';
import { createExampleHistory } from '../api/example-history.ts';
import { exampleRows } from '../api/example-market.ts';
import { examplePorts } from '../api/example-ports.ts';
import { exampleSpot } from '../api/example-spot.ts';
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
  return { status: statusCode, answer, sources };
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

describe('cash and carry without a price', () => {
  it('no book of a spot market has come: 503, and nothing is sold', async () => {
    const { spot, borrow } = exampleSpot();
    const books = createBookStore({ clock: manualClock() }).view;
    const readPort = examplePorts({ spot: { spot, borrow, books } });
    const { answer, status } = await ask('/v1/perp/cash-carry?ticker=BTC', { readPort });
    expect([status, answer.code]).toEqual([503, 'not_ready']);
    expect(answer.detail).toMatch(/^No order book of a spot market/);
  });
});
