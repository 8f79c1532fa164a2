/** The parent's orders to a process under test. */
export type PayOrder =
  | { readonly kind: 'sell'; readonly by: 'ours'; readonly folder: string; readonly receipts: boolean }
  /** Base64 of the body that the official middleware sells. */
  | { readonly kind: 'sell'; readonly by: 'official'; readonly body: string }
  | { readonly kind: 'facilitate'; readonly by: 'ours' | 'official' }
  /** For a facilitator: sign so many payments, then verify and settle them. */
  | { readonly kind: 'settle'; readonly payments: number }
  | { readonly kind: 'begin' }
  | { readonly kind: 'end' };

export type PayMessage =
  | { readonly kind: 'ready'; readonly port: number }
  | { readonly kind: 'begun' }
  /** User and system time since `begin` of the whole process, helper threads included. */
  | { readonly kind: 'used'; readonly cpuSeconds: number; readonly settled: number };
