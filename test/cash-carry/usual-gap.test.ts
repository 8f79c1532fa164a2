import { Client } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../src/runtime/duration.ts';
import { createExampleApi } from '../api/example-api.ts';
import { EXAMPLE_NOW } from '../api/example-market.ts';
import type { Json } from './recompute.ts';

let client: Client;
let close: () => Promise<void>;

beforeAll(async () => {
  const { api, start } = createExampleApi({ mode: 'off' });
  client = new Client(await start());
  close = () => api.close();
});

afterAll(async () => {
  await client.close();
  await close();
});

async function get(path: string): Promise<Json> {
  const { statusCode, body } = await client.request({ method: 'GET', path });
  const answer = (await body.json()) as Json;
  expect([path, statusCode, answer.detail]).toEqual([path, 200, undefined]);
  return answer;
}

describe('the usual gap beside the gap of now', () => {
  it('long spot in one currency: as in the past of spot', async () => {
    const to = new Date(Math.floor(EXAMPLE_NOW / HOUR_MS) * HOUR_MS).toISOString();
    const { pairs } = await get('/v1/perp/cash-carry?ticker=BTC&direction=long_spot&limit=100');
    let known = 0;
    for (const pair of pairs as readonly Json[]) {
      const { gap, usual_gap: usual, spot_venue: venue, perp_venue: perpVenue } = pair;
      const { quote_rate: rate, cost_from: from, cost_bps: cost, level_bps: level } = gap as Json;
      const week = (usual as readonly Json[]).find(({ days }) => days === 7)?.mean_bps;
      expect(from).toBe(typeof week === 'number' ? 'usual' : 'zero');
      if (level !== null) expect(Number(cost)).toBeCloseTo(Number(week ?? 0) - Number(level), 3);
      if (rate !== 1 || (usual as readonly Json[]).every(({ hours }) => hours === 0)) continue;
      const past = await get(
        `/v1/spot/history?ticker=BTC&venue=${venue}&perp_venue=${perpVenue}&to=${to}&quote=${pair.spot_quote}`,
      );
      expect(past.venue_symbol).toBe(pair.spot_symbol);
      const shown = (usual as readonly Json[]).map(({ null_reasons: _, ...row }) => row);
      expect(shown).toEqual(past.usual_gap);
      known += 1;
    }
    expect(known).toBeGreaterThan(1);
  });
});
