import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { claimOf } from '../../test/pay/ledger-claims.ts';
import { asMs } from '../domain/units.ts';
import { createOwner } from '../storage/process-owner.ts';
import { createReconciler } from './reconciler.ts';
import type { PaymentRecord } from './record.ts';
import { claimedRecord } from './transition.ts';

const NOW = asMs(1_700_000_000_000);
/** A process that has ended. */
const GONE = createOwner().replace(`/${process.pid}/`, `/${spawnSync('true').pid}/`);

/** The payments that a recovery looks at. */
async function recovered(...records: readonly PaymentRecord[]): Promise<readonly string[]> {
  const taken: string[] = [];
  const reconciler = createReconciler(
    {
      clock: { now: () => NOW },
      ledger: { due: () => records, get: () => undefined } as never,
    },
    {
      run: (record: PaymentRecord, { kind }: { kind: string }) => {
        taken.push(`${record.key} ${kind}`);
        return Promise.resolve();
      },
    } as never,
  );
  await reconciler.recover();
  return taken;
}

const record = (key: string, owner: string, change: Partial<PaymentRecord>): PaymentRecord => ({
  ...claimedRecord(claimOf(key), { now: NOW, owner }),
  leaseUntil: asMs(NOW + 30_000),
  dueAt: asMs(NOW + 60_000),
  ...change,
});

it('a recovery takes up what a process that is gone worked on or examined, and nothing of one that runs', async () => {
  const own = createOwner();
  const taken = await recovered(
    record('settling', GONE, { state: 'settling' }),
    record('examined', GONE, { state: 'unknown' }),
    record('settled', GONE, { state: 'settled' }),
    record('mine', own, { state: 'unknown' }),
  );
  expect(taken.map((one) => one.split(' ')[1])).toEqual(['taken_up', 'taken_up']);
});
