import { expect, it, onTestFinished } from 'vitest';
import { PostgresServer, postgresObstacle } from '../pay/postgres-server.ts';
import { PaidSoak } from './paid-stream-run.ts';

const obstacle = postgresObstacle();

/** A part of what `npm run soak paid-stream` does. */
it.for([1, 2])(
  '%i host(s), late payments, silence, a kill: nothing unpaid or lost',
  async (hosts, { skip }) => {
    if (hosts === 2) skip(obstacle !== undefined, obstacle);
    const server = hosts === 1 ? undefined : await PostgresServer.start();
    onTestFinished(async () => server?.stop());
    const shared = server === undefined ? {} : { postgres: await server.database('streams') };
    const seen = await new PaidSoak({
      seed: 3,
      readers: 16,
      breaks: 40,
      kills: 1,
      seconds: hosts === 1 ? 240 : 150,
      everyMs: 10,
      ...shared,
    }).run();
    const { unpaidSeconds, uncredited, wrongSums, unsaid, wrong, faults } = seen;
    expect({ unpaidSeconds, uncredited, wrongSums, unsaid, wrong, faults }).toEqual({
      unpaidSeconds: 0,
      uncredited: 0,
      wrongSums: 0,
      unsaid: 0,
      wrong: 0,
      faults: 0,
    });
    expect([seen.kills, seen.paused > 0, seen.conflated > 0]).toEqual([1, true, true]);
  },
);
