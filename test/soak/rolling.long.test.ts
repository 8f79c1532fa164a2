import '../cli/run-cli.ts';
import { describe, expect, it } from 'vitest';
import { natsObstacle } from '../feed/nats-server.ts';
import { postgresObstacle } from '../pay/postgres-server.ts';
import { haproxyObstacle } from './haproxy.ts';
import { LEDGER, soakRolling } from './rolling-run.ts';

const obstacle = natsObstacle() ?? postgresObstacle() ?? haproxyObstacle();

describe.skipIf(obstacle !== undefined)(
  `a cluster that is restarted (${obstacle ?? 'behind haproxy'})`,
  () => {
    it('answers every payment meanwhile, or charges nothing', async () => {
      const { problems, answers, reasons, restarted, history, books } = await soakRolling({
        seed: 5,
        payments: 30,
        atOnce: 2,
      });
      expect(problems).toEqual([]);
      // Two of each of sellers and collectors, three servers of the feed, the balancer and the ledger; two recorders and shards.
      expect(restarted).toHaveLength(history === undefined ? 9 : 13);
      expect(restarted).toContain(LEDGER);
      expect([...reasons.keys()].filter((said) => !said.includes(': 503 '))).toEqual([]);
      const sold = [...answers.values()].reduce((sum, statuses) => sum + (statuses.get(200) ?? 0), 0);
      expect(sold).toBeGreaterThanOrEqual(30);
      expect(history ?? { duplicates: 0, unexplained: 0 }).toMatchObject({
        duplicates: 0,
        unexplained: 0,
      });
      expect(books.ledgerTotal).toBe(books.chainTotal);
    });
  },
);
