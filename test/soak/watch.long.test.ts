import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PostgresServer, postgresObstacle } from '../pay/postgres-server.ts';
import { EngineSoak } from './watch-engine-run.ts';
import { soakDeliveries } from './watch-run.ts';

/** Parts of what `npm run soak watch` does. */
it('kills beside receivers that misbehave: no firing lost or disordered', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'watch-soak-'));
  try {
    const report = await soakDeliveries({ folder, kills: 5, seed: 3, each: 1 });
    const none = { lost: 0, doubled: 0, disordered: 0, unproven: 0, trapped: 0 };
    expect(report).toMatchObject(none);
    expect(report.taken).toBeGreaterThan(0);
    expect(report.refused).toBeGreaterThan(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const obstacle = postgresObstacle();

it.each([1, 2])('processes of %i host(s), killed and paused: firings true, none missed', async (hosts) => {
  if (hosts === 2 && obstacle !== undefined) return;
  const folder = mkdtempSync(join(tmpdir(), 'watch-soak-'));
  const server = hosts === 1 ? undefined : await PostgresServer.start();
  try {
    const shared = server === undefined ? {} : { postgres: await server.database('watches') };
    const report = await new EngineSoak({ folder, faults: 8, seed: 5, ...shared }).run();
    const { missed, wrong, misnumbered, faults, doubled, unfounded } = report;
    const none: string[] = [];
    expect({ missed, wrong, misnumbered, faults }).toEqual({
      missed: none,
      wrong: none,
      misnumbered: none,
      faults: none,
    });
    expect([doubled, unfounded]).toEqual([0, 0]);
    expect(report.right).toBeGreaterThan(20);
    expect(report.takeOvers).toBeGreaterThan(2);
  } finally {
    await server?.stop();
    rmSync(folder, { recursive: true });
  }
});
