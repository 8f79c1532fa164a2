/** The fixed terms of a channel, which are its identity. Addresses and salt are hex in lower case. */
export interface ChannelConfig {
  readonly payer: string;
  /** The key that signs vouchers. */
  readonly payerAuthorizer: string;
  readonly receiver: string;
  /** The seller's key that signs claims and refunds. */
  readonly receiverAuthorizer: string;
  readonly token: string;
  /** Seconds between a request to withdraw and the withdrawal. */
  readonly withdrawDelay: number;
  /** 32 bytes. */
  readonly salt: string;
}

/** A deposit that is signed and of which it is not known yet that it is in the channel. */
export interface PendingDeposit {
  /** Atomic units, decimal text. */
  readonly amount: string;
  /** Unix seconds, as text. */
  readonly validBefore: string;
  /** 32 bytes; names the authorization with the channel. */
  readonly salt: string;
}

/** A channel as its buyer keeps it; amounts in atomic units, decimal text, over the whole life of the channel. */
export interface ChannelRecord {
  /** 32 bytes in hex. */
  readonly id: string;
  /** 1, and one more with each change: of two that change it at once one wins. */
  readonly version: number;
  /** CAIP-2. */
  readonly network: string;
  readonly config: ChannelConfig;
  /** Origin of the service at which it pays. */
  readonly origin: string;
  /** Path of the last purchase, at which the seller is asked for a refund. */
  readonly path: string;
  /** Prices of the answers that came, or that the seller has proven. */
  readonly charged: string;
  /** The highest total that may have been signed: the seller can claim no more. */
  readonly signed: string;
  /** The part of it that the caps have counted. */
  readonly counted: string;
  /** Money that is known to be in the channel, with what was charged of it. */
  readonly funded: string;
  /** Money that may be in the channel: all signed deposits, less refunds. */
  readonly deposited: string;
  readonly pending?: PendingDeposit | undefined;
  /** The process that pays by it now, and until when, ms since 1970. */
  readonly busy?: { readonly by: string; readonly until: number } | undefined;
  /** The seller claims more than it can prove, so that nothing is signed for it any more. */
  readonly isDisputed?: boolean | undefined;
  /** When its rest was refunded, ms since 1970; a later deposit opens it again. */
  readonly closedAt?: number | undefined;
}

/** A store of channels. Of each the record saved last holds. */
export interface ChannelStore {
  /** The newest record of each channel. */
  load(): Promise<readonly ChannelRecord[]>;
  /**
   * Resolves when the record would survive; no voucher is signed before.
   * @returns false, with nothing saved, where the stored version is not the one before
   */
  save(record: ChannelRecord): Promise<boolean>;
}

/** Channels of one process, which end with it. */
export function memoryChannels(): ChannelStore {
  const records = new Map<string, ChannelRecord>();
  return {
    load: async () => [...records.values()],
    save: async (record) => {
      if ((records.get(record.id)?.version ?? 0) !== record.version - 1) return false;
      records.set(record.id, record);
      return true;
    },
  };
}

/** Money that may lie in a channel and is not charged, atomic units. */
export function unspentOf({ deposited, charged }: ChannelRecord): bigint {
  const left = BigInt(deposited) - BigInt(charged);
  return left > 0n ? left : 0n;
}
