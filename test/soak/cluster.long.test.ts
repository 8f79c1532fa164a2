import '../cli/run-cli.ts';
import { describe, expect, it } from 'vitest';
import { natsObstacle } from '../feed/nats-server.ts';
import { postgresObstacle } from '../pay/postgres-server.ts';
import { soakCluster } from './cluster-run.ts';

const obstacle = natsObstacle() ?? postgresObstacle();

const FAULTS = [
  'kill holder',
  'deafen holder',
  'silence ledger',
  'fill disk',
  'kill bus leader',
  'cut off bus of seller',
  'kill recorder',
  'kill shard',
];

describe.skipIf(obstacle !== undefined)(`a cluster that is hurt (${obstacle ?? 'on real servers'})`, () => {
  it(`each payment once, every minute once or a gap: ${FAULTS.join(', ')}`, async () => {
    const result = await soakCluster({ seed: 3, rounds: FAULTS.length, payments: 2, only: FAULTS });
    expect(result.problems).toEqual([]);
    expect(result.seen).toMatchObject({ wrongRows: 0, wrongBooks: 0 });
    expect(result.seen.rows).toBeGreaterThan(0);
    expect(result.seen.books).toBeGreaterThan(0);
    expect(result.books.ledgerTotal).toBe(result.books.chainTotal);
    expect(result.history ?? { duplicates: 0, unexplained: 0, unfounded: 0 }).toMatchObject({
      duplicates: 0,
      unexplained: 0,
      unfounded: 0,
    });
    expect(result.answered + result.contests.paid).toBe(result.books.paidNonces.size);
    expect(result.contests.paid).toBeGreaterThan(0);
  });
});
