import type { Clock } from '../domain/clock.ts';
import { contractKey, type FundingPayment } from '../domain/series.ts';
import { asMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../runtime/duration.ts';
import { groupBy } from '../runtime/group-by.ts';
import type { PaymentScope } from './queries/funding-payments.ts';
import { type StoreResult, stored } from './store.ts';

const KEPT_MS = 5 * MINUTE_MS;
/** Of hourly settling ones some 40 MB. */
const MAX_CONTRACTS = 500;
const DAYS = 30;

/** A contract whose payments are asked for. */
export interface PaidContract {
  readonly canonicalId: string;
  readonly venue: VenueId;
  readonly symbol: string;
}

interface Entry {
  readonly readAt: number;
  readonly payments: readonly FundingPayment[];
}

const keyOf = ({ venue, symbol }: Pick<PaidContract, 'venue' | 'symbol'>): string =>
  contractKey(venue, symbol);
const assetKey = ({ canonicalId, venue }: Pick<PaidContract, 'canonicalId' | 'venue'>): string =>
  `${canonicalId}\t${venue}`;

/** The payments of each contract, by `contractKey`. */
function byContract(
  contracts: readonly PaidContract[],
  payments: readonly FundingPayment[],
): ReadonlyMap<string, readonly FundingPayment[]> {
  const former = groupBy(
    payments.filter(({ formerId }) => formerId !== undefined),
    assetKey,
  );
  const own = groupBy(
    payments.filter(({ formerId }) => formerId === undefined),
    keyOf,
  );
  return new Map(
    contracts.map((contract) => {
      const paid = own.get(keyOf(contract)) ?? [];
      const before = former.get(assetKey(contract));
      return [
        keyOf(contract),
        before === undefined ? paid : [...before, ...paid].sort((a, b) => a.at - b.at),
      ];
    }),
  );
}

/** The payments of the last 30 days of many contracts, read at most every five minutes: scans ask for the same ones. */
export class PaymentCache {
  readonly #read: (scope: PaymentScope) => Promise<StoreResult<readonly FundingPayment[]>>;
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();

  constructor(read: (scope: PaymentScope) => Promise<StoreResult<readonly FundingPayment[]>>, clock: Clock) {
    this.#read = read;
    this.#clock = clock;
  }

  /**
   * By `contractKey`, each by time. Where the asset had another name, a contract has what the contracts of its venue were paid
   * under that one, too.
   */
  async of(
    contracts: readonly PaidContract[],
  ): Promise<StoreResult<ReadonlyMap<string, readonly FundingPayment[]>>> {
    const now = this.#clock.now();
    // Cached payments are taken before a read is waited for: another call may evict them meanwhile.
    const paid = new Map<string, readonly FundingPayment[]>();
    const missing = contracts.filter((contract) => {
      const entry = this.#entries.get(keyOf(contract));
      if (entry === undefined || now - entry.readAt > KEPT_MS) return true;
      paid.set(keyOf(contract), entry.payments);
      return false;
    });
    if (missing.length === 0) return stored(paid);
    const to = asMs(Math.ceil(now / HOUR_MS) * HOUR_MS);
    const read = await this.#read({
      canonicalIds: [...new Set(missing.map(({ canonicalId }) => canonicalId))],
      contracts: missing.map(keyOf),
      from: asMs(to - DAYS * DAY_MS),
      to,
    });
    if (!read.ok) return read;
    this.#makeRoom(missing.length, new Set(contracts.map(keyOf)));
    for (const [key, payments] of byContract(missing, read.value)) {
      paid.set(key, payments);
      // A contract that is read again counts as read last.
      this.#entries.delete(key);
      this.#entries.set(key, { readAt: now, payments });
    }
    return stored(paid);
  }

  /** Lets go of the contracts that were read longest ago, but for those that are being asked for. */
  #makeRoom(count: number, kept: ReadonlySet<string>): void {
    for (const key of this.#entries.keys()) {
      if (this.#entries.size + count <= MAX_CONTRACTS) return;
      if (!kept.has(key)) this.#entries.delete(key);
    }
  }
}
