import { expect, it } from 'vitest';
import { asMs } from '../domain/units.ts';
import { HeardSales } from './heard-sales.ts';
import type { PaymentRecord } from './record.ts';
import type { HttpReply } from './types.ts';

const sale = (key: string, at: number): PaymentRecord =>
  ({
    key,
    routeId: 'watch-day',
    answerId: key,
    claimedAt: asMs(at),
  }) as Partial<PaymentRecord> as PaymentRecord;
const ANSWER: HttpReply = { status: 200, headers: {}, body: Buffer.from('{}') };

function rigOf(stored: readonly PaymentRecord[]) {
  const heard: string[] = [];
  const faults: unknown[] = [];
  const broken = new Set<string>();
  const ledger = { due: () => stored, answer: () => ANSWER };
  const hear = ({ key }: PaymentRecord): void => {
    if (broken.has(key)) throw new Error(`${key} fails`);
    heard.push(key);
  };
  const clock = { now: () => asMs(1000) };
  const onError = (cause: unknown): void => void faults.push(cause);
  const sales = new HeardSales({ ledger, clock, routeIds: ['watch-day'], hear, onError });
  return { sales, heard, faults, broken };
}

it('stored sales: heard once, the earliest first, though one fails', async () => {
  const { sales, heard, faults, broken } = rigOf([sale('renewal', 30), sale('bad', 20), sale('watch', 10)]);
  broken.add('bad');
  await sales.round();
  await sales.round();
  expect(heard).toEqual(['watch', 'renewal']);
  expect(faults).toHaveLength(1);
});

it('a hook that failed: heard in a later round, without a stored answer', async () => {
  const { sales, heard, broken } = rigOf([]);
  broken.add('watch');
  sales.hook(sale('watch', 10), ANSWER);
  await sales.round();
  expect(heard).toEqual([]);
  broken.clear();
  await sales.round();
  await sales.round();
  expect(heard).toEqual(['watch']);
});

it('a sale that is stored no more: its key is not kept', async () => {
  const stored = [sale('watch', 10)];
  const { sales, heard } = rigOf(stored);
  await sales.round();
  const [gone] = stored.splice(0);
  await sales.round();
  if (gone !== undefined) stored.push(gone);
  await sales.round();
  expect(heard).toEqual(['watch', 'watch']);
});
