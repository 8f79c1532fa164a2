import { type ChannelStore, memoryChannels } from './channels/channel.ts';
import type { Receipt } from './result.ts';

/** One authorization, from before it was signed on. */
export interface PaymentRecord {
  /** Names it: the nonce of an authorization, or a random one for a voucher. */
  readonly nonce: string;
  /** When the amount was taken from the budget, ms since 1970. */
  readonly at: number;
  /** Atomic units, decimal text: of a voucher the part that no earlier one of its channel has allowed. */
  readonly amount: string;
  /** The channel of a voucher. */
  readonly channel?: string | undefined;
  /** Path and query that it was signed for. */
  readonly path: string;
  /** CAIP-2. */
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  /**
   * signing: it may be signed; bought: an answer came; refused: the seller did not take it; released: it was
   * never signed, or the seller was believed that it took nothing. All but released count as spent.
   */
  readonly state: 'signing' | 'bought' | 'refused' | 'released';
  readonly receipt?: Receipt | undefined;
}

/** A store of payments. Of each nonce the record saved last holds. */
export interface PaymentStore {
  /** The latest record of each nonce. */
  load(): Promise<readonly PaymentRecord[]>;
  /** Resolves when the record would survive; nothing is signed before. */
  save(record: PaymentRecord): Promise<void>;
  /** Channels; without them none is opened. */
  readonly channels?: ChannelStore | undefined;
}

/** A store that ends with the process. */
export function memoryStore(): PaymentStore {
  const records = new Map<string, PaymentRecord>();
  return {
    load: async () => [...records.values()],
    save: async (record) => {
      records.set(record.nonce, record);
    },
    channels: memoryChannels(),
  };
}
