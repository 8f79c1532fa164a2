import { describe, expect, it } from 'vitest';
import { postgresObstacle } from '../pay/postgres-server.ts';
import { BY_CHANNEL, BY_TRANSFER, HOST_FAULTS, soakHosts } from './hosts-run.ts';

const obstacle = postgresObstacle();

describe.skipIf(obstacle !== undefined)(
  `two hosts with one receiver (${obstacle ?? 'on PostgreSQL'})`,
  () => {
    it('each payment: settled once and answered alike, at any fault', async () => {
      const result = await soakHosts({ seed: 3, rounds: HOST_FAULTS.length, payments: 4 }, BY_TRANSFER);
      expect(result.problems).toEqual([]);
      expect(result.books.ledgerTotal).toBe(result.books.chainTotal);
      expect(result.answered).toBe(result.books.paidNonces.size);
      expect(result.answered).toBeGreaterThan(result.presented / 2);
    });

    it('channels: each total charged once and answered alike, at any fault', async () => {
      const rounds = HOST_FAULTS.length;
      const result = await soakHosts({ seed: 3, rounds, payments: 4 }, BY_CHANNEL);
      expect(result.problems).toEqual([]);
      expect([result.presented, result.answered]).toEqual([4 * rounds, 4 * rounds]);
      expect(result.charged).toBeGreaterThan(0n);
      expect(result.earned).toBe(result.charged);
    });

    it('the primary dies twice: no payment lost or settled twice', async () => {
      const result = await soakHosts({ seed: 7, rounds: 2, payments: 24, only: ['failover'] }, BY_TRANSFER);
      expect(result.problems).toEqual([]);
      expect(result.books.ledgerTotal).toBe(result.books.chainTotal);
      expect(result.answered).toBe(result.books.paidNonces.size);
      expect(result.answered).toBeGreaterThan(0);
      // At first each was answered, or turned away with a word on what became of it.
      const statuses = [...(result.faults.get('failover')?.statuses.keys() ?? [])];
      expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    });
  },
);
