/** The parent's orders to a process under test. */
export type PayOrder =
  | OursOrder
  /** Base64 of the body that the official middleware sells; by channel with the address of a facilitator. */
  | {
      readonly kind: 'sell';
      readonly by: 'official';
      readonly body: string;
      readonly channelsBy?: string;
    }
  /** Gives our answers away. */
  | { readonly kind: 'sell'; readonly by: 'free' }
  | { readonly kind: 'facilitate'; readonly by: 'ours' | 'official' }
  /** For a facilitator: sign so many payments, then verify and settle them. */
  | { readonly kind: 'settle'; readonly payments: number }
  | { readonly kind: 'begin' }
  | { readonly kind: 'end' };

/** Sells our answers. */
export interface OursOrder {
  readonly kind: 'sell';
  readonly by: 'ours';
  /** Of the ledger. */
  readonly folder: string;
  readonly receipts: boolean;
  /** Sold by channel as well. */
  readonly channels?: boolean;
  /** Address of the facilitator; undefined: one in the process, which answers at once. */
  readonly facilitator?: string;
  /** Address of the node that proves settlements; undefined: the facilitator is believed. */
  readonly node?: string;
}

export type PayMessage =
  | { readonly kind: 'ready'; readonly port: number }
  | { readonly kind: 'begun' }
  /** User and system time since `begin` of the whole process, helper threads included. */
  | { readonly kind: 'used'; readonly cpuSeconds: number; readonly settled: number };
