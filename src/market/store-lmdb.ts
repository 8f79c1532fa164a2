import type { Database } from 'lmdb';
import type { UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import { noteVersion, openStoreFolder, type StoreFormat } from '../storage/store-folder.ts';
import { writeTogether } from '../storage/write-together.ts';
import {
  FIRST_DISCOVERED_ID,
  type IdentityRecord,
  type MarketStore,
  type OperatorDecision,
  type StoredMarket,
} from './stores.ts';

type IdentityKey = [venue: VenueId, symbol: string, validFrom: UnixMs];

/** Holds the next free number; no venue identifier begins with a space. */
const NEXT = ' next';

export const IDENTITY_FORMAT: StoreFormat = {
  name: 'the store of identities',
  whenLost:
    'identities are found again by rule, source ids are given anew, and decisions of the operator are lost. The ledger is a folder of its own.',
  tables: ['identities', 'source-ids', 'identity-decisions'],
  upgrades: [noteVersion],
};

const ENCODING = { encoding: 'msgpack', keyEncoding: 'ordered-binary' } as const;

/**
 * Identities, decisions about them, and source numbers in one LMDB environment. Every write is a synchronous transaction that is on disk
 * when the call returns; several processes may share the environment.
 *
 * @param path directory of the environment; made when missing
 * @throws StoreOpenError where the store is a newer build's, or could not be upgraded
 */
export function openMarketStore(path: string): MarketStore & { all(): StoredMarket } {
  const root = openStoreFolder(path, IDENTITY_FORMAT);
  const identities = root.openDB<IdentityRecord, IdentityKey>({ name: 'identities', ...ENCODING });
  const sourceIds = root.openDB<number, string>({ name: 'source-ids', ...ENCODING });
  const decisions = root.openDB<OperatorDecision, number>({ name: 'identity-decisions', ...ENCODING });
  /** Contracts whose identities are not kept, since LMDB does not take what they are called. */
  const refused = new Map<string, VenueId>();
  return {
    all: () => ({
      identities: [...identities.getRange().map(({ value }) => value)],
      decisions: [...decisions.getRange().map(({ value }) => value)],
      sourceIds: [...sourceIds.getRange().map(({ key, value }) => [key, value] as const)].filter(
        ([venue]) => venue !== NEXT,
      ),
    }),
    decisions: {
      since: (sequence) => [...decisions.getRange({ start: sequence + 1 }).map(({ value }) => value)],
      append: (decision) => root.transactionSync(() => appendNext(decisions, decision)),
    },
    identities: {
      load: () => [...identities.getRange().map(({ value }) => value)],
      save: (changes) => {
        const notTaken = writeTogether(root, changes, ({ after }) => {
          for (const it of after) identities.putSync([it.venue, it.symbol, it.validFrom], it);
        });
        for (const { venue, symbol } of changes) refused.delete(`${venue}\n${symbol}`);
        for (const { item } of notTaken) refused.set(`${item.venue}\n${item.symbol}`, item.venue);
      },
      refused: (venue) => [...refused.values()].filter((each) => each === venue).length,
    },
    sourceIds: {
      // Read again within the transaction: another process may have given the number in the meantime.
      idOf: (venue) =>
        sourceIds.get(venue) ??
        root.transactionSync(() => sourceIds.get(venue) ?? giveSourceId(sourceIds, venue)),
    },
    place: () => ({ kind: 'embedded', ok: true, waiting: 0, refused: refused.size }),
    settled: async () => {},
    close: () => root.close(),
  };
}

/** False where the decision is not the next one: another process was first. */
function appendNext(decisions: Database<OperatorDecision, number>, decision: OperatorDecision): boolean {
  const [last = 0] = decisions.getKeys({ reverse: true, limit: 1 });
  if (decision.sequence !== last + 1) return false;
  decisions.putSync(decision.sequence, decision);
  return true;
}

function giveSourceId(sourceIds: Database<number, string>, venue: VenueId): number {
  const id = sourceIds.get(NEXT) ?? FIRST_DISCOVERED_ID;
  sourceIds.putSync(venue, id);
  sourceIds.putSync(NEXT, id + 1);
  return id;
}
