import '../cli/run-cli.ts';
import { describe, expect, it } from 'vitest';
import { natsObstacle } from '../feed/nats-server.ts';
import { postgresObstacle } from '../pay/postgres-server.ts';
import { soakCluster } from './cluster-run.ts';

/** Many processes start, more than once. */
const HUNG_MS = 900_000;
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
  it(
    `sells nothing of a former holder, settles each payment once, and has every minute once or as a gap: ${FAULTS.join(', ')}`,
    async () => {
      const result = await soakCluster({ seed: 3, rounds: FAULTS.length, payments: 2, only: FAULTS });
      expect(result.problems).toEqual([]);
      expect(result.wrongRows).toBe(0);
      expect(result.rows).toBeGreaterThan(0);
      expect(result.books.ledgerTotal).toBe(result.books.chainTotal);
      expect(result.history ?? { duplicates: 0, unexplained: 0 }).toMatchObject({
        duplicates: 0,
        unexplained: 0,
      });
      expect(result.answered).toBe(result.books.paidNonces.size);
    },
    HUNG_MS,
  );
});
