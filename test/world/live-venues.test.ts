import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { startMemoryService } from './memory-service.ts';

// The collector's own connections and calls, over memory instead of a network.
vi.mock('ws', async () => ({ default: (await import('../books/memory-socket.ts')).MemorySocket }));
vi.mock('../../src/collect/http-client.ts', async () => ({
  HttpClient: (await import('../collect/memory-http.ts')).MemoryHttp,
}));

const folder = mkdtempSync(join(tmpdir(), 'perpmeter-live-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Late in a minute, so that stamps of whole minutes are old from the start. */
const FROM = asMs(Date.UTC(2026, 9, 20, 13, 20, 25));
/** All lists and first quotes are read by then. */
const START_MS = 20_000;
const WATCHED_S = 60;

describe('a venue that answers', () => {
  it('is live at every second of a minute, whatever its stamps', { timeout: 120_000 }, async () => {
    const venues = VENUES.map(({ id }) => id);
    const service = await startMemoryService({ seed: 1, from: FROM, venues, historyPath: folder });
    try {
      await service.pass(START_MS);
      const lapses = new Set<string>();
      for (let second = 0; second < WATCHED_S; second++) {
        await service.pass(1000);
        for (const venue of venues) {
          const health = service.collector.health.of(venue);
          if (health?.status !== 'live') lapses.add(`${venue} ${health?.status}`);
        }
      }
      expect([...lapses]).toEqual([]);
    } finally {
      await service.stop();
    }
  });
});
