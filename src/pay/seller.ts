import type { PaymentNetwork } from './networks.ts';

/** A challenge stands for this long; the contract's `maxTimeoutSeconds`. */
export const MAX_TIMEOUT_SECONDS = 60;

/** The seller, the asset, and the receiving address. */
export interface Seller {
  readonly network: PaymentNetwork;
  /** Token contract, EIP-55 checksum form. */
  readonly asset: string;
  /** EIP-712 domain of the token. */
  readonly assetName: string;
  readonly assetVersion: string;
  /** Receiver of the money, EIP-55 checksum form. */
  readonly payTo: string;
  /** Absolute, without a trailing slash. */
  readonly baseUrl: string;
  /** Printable ASCII, at most 32 characters. */
  readonly serviceName: string;
  readonly iconUrl: string;
}
