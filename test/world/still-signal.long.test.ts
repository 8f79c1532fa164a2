import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { made } from '../../src/products/asset-fixture.ts';
import { legBooksOf } from '../../src/products/books/leg-book.ts';
import { signalCandidates } from '../../src/products/funding/signal-candidates.ts';
import { inParts } from '../../src/runtime/in-parts.ts';
import { type MemoryService, startMemoryService } from './memory-service.ts';
import { fundingSignal } from './present-signal.ts';
import { createStillWorld } from './still-world.ts';

// The collector's own connections and calls, over memory instead of a network.
vi.mock('ws', async () => ({ default: (await import('../books/memory-socket.ts')).MemorySocket }));
vi.mock('../../src/collect/http-client.ts', async () => ({
  HttpClient: (await import('../collect/memory-http.ts')).MemoryHttp,
}));

const folder = mkdtempSync(join(tmpdir(), 'perpmeter-still-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SEED = 3;
const FROM = asMs(Date.UTC(2026, 9, 20, 13, 20));
const VENUES = ['binance', 'bybit', 'gate', 'okx', 'hyperliquid', 'extended'];
/** Books of all candidates have been asked for by then. */
const START_MS = 80_000;
/** The service tells the collector of its candidates this often. */
const CANDIDATES_MS = 5000;
const APART_MS = 20_000;
const CALLS = 3;
const SHOWN = 20;
const MAX_LEAVING = 2;

/** Lets time pass as the service does. */
async function pass(service: MemoryService, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += CANDIDATES_MS) {
    await service.pass(CANDIDATES_MS);
    for (const [venue, symbols] of await inParts(signalCandidates(service.market.view))) {
      service.collector.preferBooks(venue, symbols);
    }
  }
}

/** The pairs that a buyer of the signal is shown first. */
function shown({ market, books, time }: MemoryService): readonly string[] {
  const query = { min_diff: 0.0001, limit: SHOWN, include_below_1k: false, holding_days: 7 };
  const { opportunities } = made(
    fundingSignal(market.view, legBooksOf(books.view.passive), query, time.clock.now()),
  ).body;
  return opportunities.map(
    (opportunity) => `${opportunity.canonical_id} ${opportunity.short_venue} ${opportunity.long_venue}`,
  );
}

describe('the funding signal of a world that stands still', () => {
  const title = `loses at most ${MAX_LEAVING} of its first ${SHOWN} pairs in twenty seconds, though most books are read over REST`;
  it(title, async () => {
    const options = { seed: SEED, from: FROM, venues: VENUES, historyPath: folder };
    const service = await startMemoryService({ ...options, world: createStillWorld(SEED, FROM) });
    try {
      await pass(service, START_MS);
      const calls = [shown(service)];
      for (let call = 1; call < CALLS; call++) {
        await pass(service, APART_MS);
        calls.push(shown(service));
      }
      expect(calls.map(({ length }) => length)).toEqual(Array(CALLS).fill(SHOWN));
      const left = calls.slice(1).map((now, i) => (calls[i] ?? []).filter((pair) => !now.includes(pair)));
      expect(left.filter((pairs) => pairs.length > MAX_LEAVING)).toEqual([]);
    } finally {
      await service.stop();
    }
  });
});
