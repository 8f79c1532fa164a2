import { openPostgresStore } from '../../src/modules/shared-ledger/payments/ledger-postgres.ts';
import { openLmdbStore } from '../../src/pay/ledger-lmdb.ts';
import type { LedgerStore } from '../../src/pay/ledger-store.ts';
import { FORMATS } from '../../src/pay/schemes/list.ts';
import { createMemoryStore } from './ledger-memory.ts';
import { emptyLedger, postgresObstacle } from './postgres-server.ts';

const obstacle = postgresObstacle();
const postgres = `PostgreSQL${obstacle === undefined ? '' : ` (skipped: ${obstacle})`}`;

export type OpenStore = () => LedgerStore | Promise<LedgerStore>;
type NamedStore = readonly [string, OpenStore];
type NamedPlace = readonly [string, () => Promise<OpenStore>];

/** Every kind of place that processes share, empty where its folder is: opened once by each of them. */
export const ledgerPlaces = (folderOf: () => string): readonly NamedPlace[] => [
  [
    'LMDB',
    async () => {
      const folder = folderOf();
      return () => openLmdbStore(folder, { formats: FORMATS });
    },
  ],
  [
    postgres,
    async () => {
      const url = await emptyLedger();
      return () => openPostgresStore(url, { formats: FORMATS });
    },
  ],
];

/** Every kind of store, empty where its folder is. */
export const ledgerStores = (folderOf: () => string): readonly NamedStore[] => [
  ['LMDB', () => openLmdbStore(folderOf(), { formats: FORMATS })],
  ['memory', createMemoryStore],
  [postgres, async () => openPostgresStore(await emptyLedger(), { formats: FORMATS })],
];

/** True if a store cannot be opened here. */
export const isMissing = (name: string): boolean => name === postgres && obstacle !== undefined;
