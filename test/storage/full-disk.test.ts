import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LEDGER_FORMAT } from '../../src/pay/ledger-tables.ts';
import { newestVersion, openStoreFolder } from '../../src/storage/store-folder.ts';
import { diskObstacle, mountSmallDisk, type SmallDisk } from '../small-disk.ts';
import { readings, restoreDump, upgraded } from './dumped-stores.ts';

const obstacle = diskObstacle();

describe.skipIf(obstacle !== undefined)(
  `an upgrade on a full disk${obstacle ? ` (${obstacle})` : ''}`,
  () => {
    let disk: SmallDisk;
    beforeAll(async () => {
      disk = await mountSmallDisk(4);
    });
    afterAll(() => disk.remove());

    it('no space: refused without changes, and succeeds later', async () => {
      const expected = upgraded(await restoreDump('version-1', disk.path));
      const stores = ['backfill', 'ledger', 'market'];
      for (const leave of [65_536, 262_144, 1_048_576]) {
        disk.fill(leave);
        expect(() => openStoreFolder(join(disk.path, 'ledger'), LEDGER_FORMAT)).toThrow(
          new RegExp(
            `could not be upgraded from format version 1 to ${newestVersion(LEDGER_FORMAT)}, and is unchanged: .* need \\d+ bytes, and the disk has \\d+ left`,
          ),
        );
        expect(
          readdirSync(disk.path)
            .filter((name) => name !== 'filler')
            .sort(),
        ).toEqual(stores);
        disk.clear();
      }
      expect({ readings: await readings(disk.path) }).toEqual(expected);
    });
  },
);
