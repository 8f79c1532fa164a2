import data from './networks.json' with { type: 'json' };

/** A network on which payments are taken, and its USD stablecoin. */
export interface PaymentNetwork {
  /** CAIP-2 name, used by the second protocol generation. */
  readonly id: string;
  /** Name in the first protocol generation; undefined where its clients know none. */
  readonly v1Name: string | undefined;
  readonly chainId: number;
  /** USDC contract, EIP-55 checksum form: older buyers compare it as text. */
  readonly asset: string;
  /** EIP-712 domain of the contract: part of what a buyer signs. */
  readonly assetName: string;
  readonly assetVersion: string;
  /** Symbol of the coin in which gas is paid. */
  readonly coin: string;
  /** A node whose newest block is older is behind its chain. */
  readonly behindSeconds: number;
}

/** Networks by CAIP-2 name, from `networks.json`, which states the evidence of each fact. */
export const NETWORKS: Readonly<Record<string, PaymentNetwork>> = Object.fromEntries(
  data.networks.map(({ chainId, v1Name, asset, assetName, assetVersion, coin, behindSeconds }) => {
    const id = `eip155:${chainId}`;
    const token = { asset, assetName, assetVersion };
    return [id, { id, v1Name: v1Name ?? undefined, chainId, ...token, coin, behindSeconds }];
  }),
);

/** The network of the contract. */
export const BASE = 'eip155:8453';
