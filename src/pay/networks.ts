/** A network on which payments are taken, and its USD stablecoin. */
export interface PaymentNetwork {
  /** CAIP-2 name, used by the second protocol generation. */
  readonly id: string;
  /** Name in the first protocol generation. */
  readonly v1Name: string;
  readonly chainId: number;
  /** USDC contract, EIP-55 checksum form: older buyers compare it as text. */
  readonly asset: string;
  /** EIP-712 domain of the contract: part of what a buyer signs. */
  readonly assetName: string;
  readonly assetVersion: string;
}

/** USDC addresses and domains as its issuer publishes them; `USDC`, not `USD Coin`, on the test network. */
export const NETWORKS: Readonly<Record<string, PaymentNetwork>> = {
  'eip155:8453': {
    id: 'eip155:8453',
    v1Name: 'base',
    chainId: 8453,
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    assetName: 'USD Coin',
    assetVersion: '2',
  },
  'eip155:84532': {
    id: 'eip155:84532',
    v1Name: 'base-sepolia',
    chainId: 84532,
    asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    assetName: 'USDC',
    assetVersion: '2',
  },
};

/** The network of the contract. */
export const BASE = 'eip155:8453';
