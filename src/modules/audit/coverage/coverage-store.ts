import { openStoreFolder, type StoreFormat } from '../../../storage/store-folder.ts';
import type { CoverageGap, CoverageStore, DayCoverage } from './coverage.ts';

const COVERAGE_FORMAT: StoreFormat = {
  name: 'the store of coverage',
  whenLost: 'coverage and gaps of days before are not shown then.',
  tables: ['days', 'gaps'],
  upgrades: [],
};

const ENCODING = { encoding: 'msgpack', keyEncoding: 'ordered-binary' } as const;

/**
 * Coverage by day and venue, and gaps by begin and venue, in one LMDB environment.
 *
 * @param path directory of the environment; made when missing
 * @throws StoreOpenError where the store is a newer build's, or could not be upgraded
 */
export function openCoverageStore(path: string): CoverageStore {
  const root = openStoreFolder(path, COVERAGE_FORMAT);
  const days = root.openDB<DayCoverage, [number, string]>({ name: 'days', ...ENCODING });
  const gaps = root.openDB<CoverageGap, [number, string]>({ name: 'gaps', ...ENCODING });
  return {
    load: () => ({
      days: [...days.getRange().map(({ value }) => value)],
      gaps: [...gaps.getRange().map(({ value }) => value)],
    }),
    save: (changed, opened, before) => {
      root.transactionSync(() => {
        for (const one of changed) days.putSync([one.day, one.venue], one);
        for (const gap of opened) gaps.putSync([gap.from, gap.venue], gap);
        for (const table of [days, gaps]) {
          for (const key of table.getKeys({ end: [before, ''] })) table.removeSync(key);
        }
      });
    },
    close: () => root.close(),
  };
}
