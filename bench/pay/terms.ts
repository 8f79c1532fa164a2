import { NETWORKS } from '../../src/pay/networks.ts';
import type { Seller } from '../../src/pay/seller.ts';

const BASE_URL = 'https://data.perpmeter.example';

/** The seller of this benchmark. */
export function benchSeller(): Seller {
  const network = NETWORKS['eip155:8453'];
  if (network === undefined) throw new Error('unknown network');
  return {
    network,
    asset: network.asset,
    assetName: network.assetName,
    assetVersion: network.assetVersion,
    payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
    baseUrl: BASE_URL,
    serviceName: 'Perpmeter',
    iconUrl: `${BASE_URL}/icon.png`,
  };
}

/** The sold answer: the smallest price, and a few rows. */
export const SOLD = { routeId: 'funding-current', path: '/v1/funding/current', query: 'limit=10' } as const;
