import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import type { VenueAdapter } from '../../src/venues/adapter.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { type MemoryService, startMemoryService } from './memory-service.ts';

// The collector's own connections and calls, over memory instead of a network.
vi.mock('ws', async () => ({ default: (await import('../books/memory-socket.ts')).MemorySocket }));
vi.mock('../../src/collect/http-client.ts', async () => ({
  HttpClient: (await import('../collect/memory-http.ts')).MemoryHttp,
}));

const folder = mkdtempSync(join(tmpdir(), 'perpmeter-live-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Late in a minute, so that stamps of whole minutes are old from the start. */
const FROM = asMs(Date.UTC(2026, 9, 20, 13, 20, 35));
/** All lists and first quotes are read by then. */
const START_MS = 20_000;
/** Over the turn of a minute; a full minute and more for a thorough run. */
const WATCHED_S = Number(process.env.PERPMETER_LIVE_SECONDS ?? 10);
/** A full window of this length is felt. */
const LONG_WINDOW_MS = 10_000;
const HEAVY_CLIENTS = 4;
/** Part of a window that a greedy request takes. */
const HEAVY_SHARE = 1 / 10;

/** Asks a venue for what may wait, again and again, as a back-fill without restraint would. Returns how often. */
function floodVenue({ collector, time }: MemoryService, { id, polls, budget }: VenueAdapter): () => number {
  let answered = 0;
  for (const { name, limit, perMs } of budget.pools) {
    const poll = polls.find(({ pool = 'default' }) => pool === name);
    const instruments = [...collector.instruments(id).values()];
    const request = poll?.requests({ now: time.clock.now(), instruments })[0];
    if (request === undefined || perMs < LONG_WINDOW_MS) continue;
    const weight = Math.max(1, Math.floor(limit * HEAVY_SHARE));
    const askOn = async (): Promise<void> => {
      while ((await collector.request(id, request, { pool: name, weight })).ok) answered++;
    };
    for (let i = 0; i < HEAVY_CLIENTS; i++) void askOn();
  }
  return () => answered;
}

describe('a venue that answers', () => {
  const title =
    'is live at every second around the turn of a minute, whatever its stamps and whoever else asks it';
  it(title, async () => {
    const venues = VENUES.map(({ id }) => id);
    const service = await startMemoryService({
      seed: 1,
      from: FROM,
      venues,
      historyPath: folder,
      streamed: 1,
    });
    try {
      await service.pass(1000);
      const besieged = service.collector.adapters().map((adapter) => floodVenue(service, adapter));
      await service.pass(START_MS - 1000);
      const lapses = new Set<string>();
      for (let second = 0; second < WATCHED_S; second++) {
        await service.pass(1000);
        for (const { venue, status } of service.collector.health.all()) {
          if (status !== 'live') lapses.add(`${venue} ${status}`);
        }
      }
      expect([...lapses]).toEqual([]);
      expect(besieged.reduce((sum, answered) => sum + answered(), 0)).toBeGreaterThan(
        HEAVY_CLIENTS * venues.length,
      );
    } finally {
      await service.stop();
    }
  });
});
