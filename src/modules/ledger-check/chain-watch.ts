import type { Clock } from '../../domain/clock.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import { type Block, lastBlockBy, latestBlock } from '../../pay/blocks.ts';
import type { Ledger } from '../../pay/ledger.ts';
import { newestFirst } from '../../pay/newest-first.ts';
import type { PaymentRecord } from '../../pay/record.ts';
import { type Rpc, RpcError } from '../../pay/rpc.ts';
import type { ChainWatch, ChainWatchState, DifferenceKind } from '../../pay/scheme.ts';
import { EXACT_FORMAT } from '../../pay/schemes/exact/format.ts';
import type { Seller } from '../../pay/seller.ts';
import { compareWithChain, type LedgerDifference } from './chain-comparison.ts';

/** Payments and blocks of the last minutes are left for the next look: what is under way is no difference. */
const SETTLES_WITHIN_MS = 180_000;
/** A payment whose money moved so long before it was written down as settled is not looked for. */
const EARLIER_MS = 900_000;

export interface LedgerWatchOptions {
  readonly rpc: Rpc;
  readonly ledger: Ledger;
  readonly seller: Pick<Seller, 'network' | 'asset' | 'payTo'>;
  readonly clock: Clock;
  /** The chain makes a block for each transaction only: that its newest is old says nothing. */
  readonly isLocal: boolean;
}

/**
 * Checks the ledger against the chain's transfers while the service runs, span by span: each transfer and each settled
 * payment belongs to one span, so that a difference is counted once. The past before the start is for
 * `ledger reconcile`.
 */
export class LedgerWatch implements ChainWatch {
  readonly #options: LedgerWatchOptions;
  readonly #differences = new Map<DifferenceKind, number>(
    (['not_in_ledger', 'not_on_chain', 'amount', 'state'] as const).map((kind) => [kind, 0]),
  );
  #comparedTo: UnixMs;
  #block: Block | undefined;

  constructor(options: LedgerWatchOptions) {
    this.#options = options;
    this.#comparedTo = options.clock.now();
  }

  state(): ChainWatchState {
    return { comparedTo: this.#comparedTo, differences: this.#differences };
  }

  async look(): Promise<void> {
    const { rpc, clock, isLocal } = this.#options;
    const to = asMs(clock.now() - SETTLES_WITHIN_MS);
    if (to <= this.#comparedTo) return;
    const latest = await latestBlock(rpc);
    if (latest === undefined) throw new RpcError('the node does not show its blocks');
    // A transfer that a node does not show yet, because it is behind, is no difference.
    if (!isLocal && latest.time < seconds(to)) throw new RpcError('the node is behind its chain');
    const before = this.#block ?? (await lastBlockBy(rpc, seconds(this.#comparedTo), latest));
    const last = await lastBlockBy(rpc, seconds(to), latest);
    if (last !== undefined) await this.#compare(before, last, latest, to);
    this.#block = last ?? before;
    this.#comparedTo = to;
  }

  async #compare(before: Block | undefined, last: Block, latest: Block, to: UnixMs): Promise<void> {
    const { rpc, seller } = this.#options;
    const from = this.#comparedTo;
    const earlier = await lastBlockBy(rpc, seconds(from - EARLIER_MS), latest);
    const range = { fromBlock: earlier?.number ?? 0, toBlock: latest.number };
    const records = await this.#recordsSince(from - EARLIER_MS);
    const { asset, payTo } = seller;
    const found = await compareWithChain(rpc, { asset, payTo, ...range }, records);
    const isOfSpan = ({ block, settledAt }: LedgerDifference): boolean =>
      block === undefined
        ? settledAt !== undefined && settledAt > from && settledAt <= to
        : block > (before?.number ?? -1) && block <= last.number;
    for (const difference of found.differences) {
      if (!isOfSpan(difference)) continue;
      this.#differences.set(difference.kind, (this.#differences.get(difference.kind) ?? 0) + 1);
    }
  }

  /** Its payments to this seller that were claimed since. */
  async #recordsSince(since: number): Promise<readonly PaymentRecord[]> {
    const { ledger, seller } = this.#options;
    const records: PaymentRecord[] = [];
    for await (const record of newestFirst(ledger)) {
      if (record.claimedAt < since) break;
      if (isTo(record, seller)) records.push(record);
    }
    return records;
  }
}

const seconds = (ms: number): number => Math.floor(ms / 1000);

function isTo(record: PaymentRecord, { network, asset, payTo }: LedgerWatchOptions['seller']): boolean {
  return (
    record.scheme === EXACT_FORMAT.name &&
    record.network === network.id &&
    record.asset.toLowerCase() === asset.toLowerCase() &&
    record.payTo.toLowerCase() === payTo.toLowerCase()
  );
}
