import '../cli/run-cli.ts';
import { describe, expect, it } from 'vitest';
import { natsObstacle } from '../feed/nats-server.ts';
import { postgresObstacle } from '../pay/postgres-server.ts';
import { haproxyObstacle, soakRolling } from './rolling-run.ts';

/** Many processes start, more than once. */
const HUNG_MS = 900_000;
const obstacle = natsObstacle() ?? postgresObstacle() ?? haproxyObstacle();

describe.skipIf(obstacle !== undefined)(
  `a cluster that is restarted (${obstacle ?? 'behind haproxy'})`,
  () => {
    it(
      'answers every payment meanwhile, or charges nothing',
      async () => {
        const { problems, statuses, reasons, restarts, books } = await soakRolling({
          seed: 5,
          payments: 30,
          atOnce: 2,
        });
        expect(problems).toEqual([]);
        expect(restarts).toBe(7);
        expect([...reasons.keys()].filter((said) => !said.includes(': 503 '))).toEqual([]);
        expect(statuses.get(200)).toBeGreaterThanOrEqual(30);
        expect(books.ledgerTotal).toBe(books.chainTotal);
      },
      HUNG_MS,
    );
  },
);
