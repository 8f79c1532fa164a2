import { asMs, type UnixMs } from '../../../domain/units.ts';
import { noteVersion, openStoreFolder, type StoreFormat } from '../../../storage/store-folder.ts';
import { Distribution } from './distribution.ts';
import type { QualityDay, QualityKind, QualityStore, WorstComparison } from './quality-day.ts';

const QUALITY_FORMAT: StoreFormat = {
  name: 'the store of quality counts',
  whenLost: 'quality counts of days before are not shown then.',
  tables: ['days'],
  upgrades: [noteVersion],
};

type Key = [day: UnixMs, kind: QualityKind, venue: string, field: string];

interface Kept {
  readonly buckets: readonly (readonly [number, number])[];
  readonly agreed: number;
  readonly worst?: WorstComparison;
}

const keyOf = ({ day, kind, venue, field }: QualityDay): Key => [day, kind, venue, field];

/**
 * Counts of quality in one LMDB environment, each day of a venue's field under its key.
 *
 * @param path directory of the environment; made when missing
 * @throws StoreOpenError where the store is a newer build's, or could not be upgraded
 */
export function openQualityStore(path: string): QualityStore {
  const root = openStoreFolder(path, QUALITY_FORMAT);
  const days = root.openDB<Kept, Key>({ name: 'days', encoding: 'msgpack', keyEncoding: 'ordered-binary' });
  return {
    load: () => [...days.getRange().map(({ key, value }) => dayOf(key, value))],
    save: (changed, dropped) => {
      root.transactionSync(() => {
        for (const day of changed) days.putSync(keyOf(day), keptOf(day));
        for (const day of dropped) days.removeSync(keyOf(day));
      });
    },
    close: () => root.close(),
  };
}

function keptOf({ values, agreed, worst }: QualityDay): Kept {
  return { buckets: values.buckets, agreed, ...(worst !== undefined && { worst }) };
}

function dayOf([day, kind, venue, field]: Key, { buckets, agreed, worst }: Kept): QualityDay {
  return { day: asMs(day), kind, venue, field, values: new Distribution(buckets), agreed, worst };
}
