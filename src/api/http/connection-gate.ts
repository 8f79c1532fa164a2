/** Limits on connections of clients that are open at once. */
export interface ConnectionLimits {
  readonly total: number;
  readonly perAddress: number;
}

/** A connection is refused at the limit of all connections or of one address. */
export type ConnectionRefusal = 'total' | 'address';

/** No address has more than this share of all connections. */
const SHARE_OF_AN_ADDRESS = 1 / 4;
/** One process serves no more; memory would end before it. */
const MOST = 10_000;
/** Left to venues, stores and the operator's port: at least half of what a process may open. */
const RESERVED = 1024;

/**
 * Limits that leave descriptors for everything else that the process opens.
 *
 * @param descriptors files and connections that the process may have open; undefined = not known
 * @param total what the operator sets; undefined = as many as the descriptors leave
 */
export function connectionLimits(descriptors = Number.POSITIVE_INFINITY, total?: number): ConnectionLimits {
  const left = Math.max(Math.floor(descriptors / 2), descriptors - RESERVED);
  const all = Math.max(1, Math.min(total ?? MOST, left));
  return { total: all, perAddress: Math.max(1, Math.ceil(all * SHARE_OF_AN_ADDRESS)) };
}

/** Counts the connections of clients, in all and by address, and says which one is too many. */
export class ConnectionGate {
  readonly #limits: ConnectionLimits;
  readonly #byAddress = new Map<string, number>();
  #open = 0;
  /** Connections that were refused since start. */
  readonly refused: Record<ConnectionRefusal, number> = { total: 0, address: 0 };

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /**
   * Takes a connection, which `leave` gives back.
   *
   * @param address the client's; undefined = a proxy's, behind which there are many
   */
  enter(address: string | undefined): ConnectionRefusal | undefined {
    const refusal = this.#refusal(address);
    if (refusal !== undefined) {
      this.refused[refusal] += 1;
      return refusal;
    }
    this.#open += 1;
    if (address !== undefined) this.#byAddress.set(address, this.#of(address) + 1);
    return undefined;
  }

  leave(address: string | undefined): void {
    this.#open -= 1;
    if (address === undefined) return;
    const left = this.#of(address) - 1;
    if (left > 0) this.#byAddress.set(address, left);
    else this.#byAddress.delete(address);
  }

  get isFull(): boolean {
    return this.#open >= this.#limits.total;
  }

  #refusal(address: string | undefined): ConnectionRefusal | undefined {
    if (this.isFull) return 'total';
    return address !== undefined && this.#of(address) >= this.#limits.perAddress ? 'address' : undefined;
  }

  #of(address: string): number {
    return this.#byAddress.get(address) ?? 0;
  }
}
