import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDeliveryRecords } from '../../src/modules/webhook/delivery-store.ts';
import { until } from '../until.ts';
import { Disk, rigOf, watchOf, welcome } from './delivery-rig.ts';

it('an attempt that ends in a later tenure: its record is not written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'delivery-tenures-'));
  const records = openDeliveryRecords(folder);
  onTestFinished(async () => {
    await records.close();
    rmSync(folder, { recursive: true });
  });
  const disk = new Disk();
  let release = (): void => {};
  const stands = new Promise<void>((resolve) => {
    release = resolve;
  });
  const former = rigOf({
    disk,
    records,
    term: 1,
    answer: async (request) => {
      if (request.body.event !== 'challenge') await stands;
      return welcome(request);
    },
  });
  former.deliveries.add(watchOf('w1'));
  former.fire('w1');
  await until(() => expect(former.sequences()).toEqual([1]));
  disk.fire('w1');
  const later = rigOf({ disk, records, term: 2 });
  later.deliveries.add(watchOf('w1'));
  await until(() => expect(records.read('w1')).toMatchObject({ settled: 2, delivered: 2 }));
  release();
  await until(() => expect(former.deliveries.view('w1')).toBeUndefined());
  expect(records.read('w1')).toMatchObject({ settled: 2, delivered: 2 });
  expect(former.faults).toEqual([]);
});
