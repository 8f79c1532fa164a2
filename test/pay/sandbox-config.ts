import { checksumAddress } from '../../src/pay/address.ts';
import type { SandboxConfig } from '../../src/pay/config.ts';
import { NETWORKS } from '../../src/pay/networks.ts';
import type { SandboxChain } from '../../src/pay/sandbox/chain.ts';

export interface SandboxConfigOptions {
  readonly baseUrl: string;
  readonly ledgerPath: string;
  readonly serviceName: string;
}

/** The payment configuration of a service that sells on a freshly started sandbox chain. */
export function sandboxConfig(chain: SandboxChain, options: SandboxConfigOptions): SandboxConfig {
  const network = NETWORKS[chain.network];
  if (network === undefined) throw new Error(`${chain.network} is not in the table of networks`);
  const { asset, assetName, assetVersion } = network;
  const { baseUrl, serviceName } = options;
  return {
    ...options,
    mode: 'sandbox',
    facilitatorFee: 0n,
    coinPrices: new Map(),
    rpcUrl: chain.rpcUrl,
    facilitatorKey: chain.facilitator.privateKey,
    seller: {
      network,
      asset,
      assetName,
      assetVersion,
      payTo: checksumAddress(chain.payee.address),
      baseUrl,
      serviceName,
      iconUrl: `${baseUrl}/icon.png`,
    },
  };
}
