import { describe, expect, it } from 'vitest';
import { postgresObstacle } from '../pay/postgres-server.ts';
import { HOST_FAULTS, soakHosts } from './hosts-run.ts';

const obstacle = postgresObstacle();

describe.skipIf(obstacle !== undefined)(
  `two hosts with one receiver (${obstacle ?? 'on PostgreSQL'})`,
  () => {
    it('settle each payment once and answer it alike, whatever fails between them', async () => {
      const result = await soakHosts({ seed: 3, rounds: HOST_FAULTS.length, payments: 4 });
      expect(result.problems).toEqual([]);
      expect(result.books.ledgerTotal).toBe(result.books.chainTotal);
      expect(result.answered).toBe(result.books.paidNonces.size);
      expect(result.answered).toBeGreaterThan(result.presented / 2);
    });
  },
);
