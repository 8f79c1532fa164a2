import type { Clock } from '../../domain/clock.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { Ledger } from '../../pay/ledger.ts';
import { createMulticall } from '../../pay/multicall.ts';
import type { Rpc } from '../../pay/rpc.ts';
import type { ChainWatch, ChainWatchState, DifferenceKind } from '../../pay/scheme.ts';
import { readReceived } from '../../pay/schemes/batch-settlement/chain.ts';
import type { StoredChannel } from '../../pay/schemes/batch-settlement/channels.ts';
import type { Seller } from '../../pay/seller.ts';
import { isChannelFor } from './receiving-accounts.ts';
import { channelsOn } from './reconcile-channels.ts';

export interface ChannelWatchOptions {
  readonly rpc: Rpc;
  readonly ledger: Ledger;
  readonly seller: Pick<Seller, 'network' | 'asset' | 'payTo'>;
  readonly clock: Clock;
}

/**
 * Checks channels against the contract while the service runs: all that was claimed for the seller was claimed of channels of
 * the ledger, and none is charged more than it holds. Each finding is counted once; what is so at the start is for
 * `ledger reconcile`.
 */
export class ChannelWatch implements ChainWatch {
  readonly #options: ChannelWatchOptions;
  readonly #differences = new Map<DifferenceKind, number>([
    ['not_in_ledger', 0],
    ['not_on_chain', 0],
  ]);
  #comparedTo: UnixMs;
  /** Claims of channels that the ledger does not have, atomic units, by the look before. */
  #unknown: bigint | undefined;
  /** The part of it that was counted, or stood there at the start. */
  #noted: bigint | undefined;
  /** Channels that were charged more than they held; undefined before the first look. */
  #short: ReadonlySet<string> | undefined;

  constructor(options: ChannelWatchOptions) {
    this.#options = options;
    this.#comparedTo = options.clock.now();
  }

  state(): ChainWatchState {
    return { comparedTo: this.#comparedTo, differences: this.#differences };
  }

  /** Rejects where the node does not answer. */
  async look(): Promise<void> {
    const { rpc, ledger, seller, clock } = this.#options;
    const began = clock.now();
    const { claimed } = await readReceived(createMulticall(rpc), seller);
    const all = await channelsOn(ledger, seller.network.id);
    const own = all.filter((stored) => isChannelFor(stored, seller));
    this.#noteClaims(claimed, own);
    this.#noteShort(own);
    this.#comparedTo = began;
  }

  /** The ledger knows of a claim a moment after the chain does: what two looks find is missing. */
  #noteClaims(claimed: bigint, own: readonly StoredChannel[]): void {
    const known = own.reduce((sum, { channel }) => sum + BigInt(channel.chain.claimed), 0n);
    const unknown = claimed > known ? claimed - known : 0n;
    const before = this.#unknown;
    this.#unknown = unknown;
    if (before === undefined) return;
    const lasting = unknown < before ? unknown : before;
    if (this.#noted !== undefined && lasting > this.#noted) this.#count('not_in_ledger', 1);
    if (this.#noted === undefined || lasting > this.#noted) this.#noted = lasting;
  }

  #noteShort(own: readonly StoredChannel[]): void {
    const short = own.filter(({ channel }) => BigInt(channel.charged) > BigInt(channel.chain.balance));
    const known = this.#short;
    if (known !== undefined) this.#count('not_on_chain', short.filter(({ id }) => !known.has(id)).length);
    this.#short = new Set([...(known ?? []), ...short.map(({ id }) => id)]);
  }

  #count(kind: DifferenceKind, more: number): void {
    this.#differences.set(kind, (this.#differences.get(kind) ?? 0) + more);
  }
}
