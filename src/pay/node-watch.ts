import type { Clock } from '../domain/clock.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import { MINUTE_MS, SECOND_MS } from '../runtime/duration.ts';
import { latestBlock } from './blocks.ts';
import { type ChargingConfig, everyNetwork } from './config.ts';
import type { PaymentNetwork } from './networks.ts';
import { createRpc, type Rpc } from './rpc.ts';

const EVERY_MS = MINUTE_MS;
/** A node that has shown no block for so long says nothing of the chain any more. */
const SILENT_MS = 5 * MINUTE_MS;

/** The condition of the node through which a network is seen. */
export interface NodeState {
  /** CAIP-2. */
  readonly network: string;
  /** Time of the newest block that it has shown; undefined before the first look. */
  readonly blockAt: UnixMs | undefined;
  /** When it was shown. */
  readonly seenAt: UnixMs | undefined;
  /** True where that block was older than the bound of the network, or none was shown for five minutes; undefined before the first look. */
  readonly isBehind: boolean | undefined;
}

export interface NodeWatchOptions {
  readonly rpc: Rpc;
  readonly network: Pick<PaymentNetwork, 'id' | 'behindSeconds'>;
  readonly clock: Clock;
}

/** Judges by the time of its newest block whether a node is behind its chain: what it does not show may have happened. */
export class NodeWatch {
  readonly everyMs = EVERY_MS;
  readonly #options: NodeWatchOptions;
  readonly #startedAt: UnixMs;
  #seen: { readonly blockAt: UnixMs; readonly at: UnixMs } | undefined;
  #isSaid = false;

  constructor(options: NodeWatchOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now();
  }

  /** The node has shown a block of that time. */
  note(blockAt: UnixMs): void {
    this.#seen = { blockAt, at: this.#options.clock.now() };
  }

  state(): NodeState {
    const { id: network } = this.#options.network;
    return { network, blockAt: this.#seen?.blockAt, seenAt: this.#seen?.at, isBehind: this.#isBehind() };
  }

  /** Asks for the newest block. Rejects once with a sentence where the node turns out to be behind; it is not told again until it was not. */
  async look(): Promise<void> {
    const block = await latestBlock(this.#options.rpc).catch(() => undefined);
    if (block !== undefined) this.note(asMs(block.time * SECOND_MS));
    const isBehind = this.#isBehind() === true;
    const isNews = isBehind && !this.#isSaid;
    this.#isSaid = isBehind;
    if (isNews) throw new Error(this.#sentence());
  }

  #isBehind(): boolean | undefined {
    const now = this.#options.clock.now();
    if (this.#seen === undefined) return now - this.#startedAt >= SILENT_MS ? true : undefined;
    const { blockAt, at } = this.#seen;
    return at - blockAt > this.#options.network.behindSeconds * SECOND_MS || now - at >= SILENT_MS;
  }

  #sentence(): string {
    const { id, behindSeconds } = this.#options.network;
    if (this.#seen === undefined) return `the node of ${id} shows no block: RPC_URL`;
    const age = Math.round((this.#options.clock.now() - this.#seen.blockAt) / SECOND_MS);
    return `the node of ${id} is behind its chain: its newest block is ${age} s old, more than ${behindSeconds}: RPC_URL`;
  }
}

/** One for each network with a node; none in the mode sandbox, whose chain makes a block for each transaction only. */
export function nodeWatches(config: ChargingConfig, clock: Clock): readonly NodeWatch[] {
  return everyNetwork(config).flatMap(({ mode, rpcUrl, seller: { network } }) =>
    mode === 'sandbox' || rpcUrl === undefined
      ? []
      : [new NodeWatch({ rpc: createRpc(rpcUrl), network, clock })],
  );
}

/** True if some node is behind its chain; null where that is known of none. */
export function anyBehind(states: readonly NodeState[]): boolean | null {
  const known = states.filter(({ isBehind }) => isBehind !== undefined);
  return known.length === 0 ? null : known.some(({ isBehind }) => isBehind === true);
}
