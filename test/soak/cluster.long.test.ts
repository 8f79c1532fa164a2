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
];

describe.skipIf(obstacle !== undefined)(`a cluster that is hurt (${obstacle ?? 'on real servers'})`, () => {
  it(
    `sells nothing of a former holder, and settles each payment once: ${FAULTS.join(', ')}`,
    async () => {
      const result = await soakCluster({
        seed: 3,
        rounds: FAULTS.length,
        payments: 2,
        records: false,
        only: FAULTS,
      });
      expect(result.problems).toEqual([]);
      expect(result.wrongRows).toBe(0);
      expect(result.rows).toBeGreaterThan(0);
      expect(result.books.ledgerTotal).toBe(result.books.chainTotal);
      expect(result.answered).toBe(result.books.paidNonces.size);
    },
    HUNG_MS,
  );
});
