import type { RemoteConfig, SandboxConfig, SelfConfig } from '../../config.ts';
import type { RemoteEndpoint } from '../../config-facilitators.ts';
import type { Facilitator } from '../../facilitator.ts';
import { DEFAULT_TIMEOUTS } from '../../facilitators/client.ts';
import { createRpc } from '../../rpc.ts';
import { EXACT_FORMAT } from './format.ts';
import type { SignatureFilter } from './signature.ts';

type Facilitators = readonly [Facilitator, ...Facilitator[]];

/** Loads only the facilitator that is configured: those with a chain client bring a lot of code. */
export async function facilitatorsOf(
  config: RemoteConfig | SelfConfig | SandboxConfig,
  signatures: SignatureFilter,
): Promise<Facilitators> {
  if (config.mode === 'remote') return remoteFacilitators(config);
  if (config.mode === 'self') return [await selfFacilitator(config, signatures)];
  const { createSandboxFacilitator } = await import('./sandbox-facilitator.ts');
  const { rpcUrl, facilitatorKey: privateKey, seller } = config;
  return [
    await createSandboxFacilitator({ rpcUrl, privateKey, network: `eip155:${seller.network.chainId}` }),
  ];
}

async function remoteFacilitators(config: RemoteConfig): Promise<Facilitators> {
  const { createRemoteFacilitator } = await import('../../facilitators/remote.ts');
  const { facilitators, seller, verifyTimeoutMs: verifyMs, settleTimeoutMs: settleMs } = config;
  const scheme = EXACT_FORMAT.name;
  const times = { ...DEFAULT_TIMEOUTS, verifyMs, settleMs };
  const [first, ...others] = facilitators;
  const made = ({ url, auth }: RemoteEndpoint): Facilitator =>
    createRemoteFacilitator({ url, auth, scheme, network: seller.network.id, times });
  return [made(first), ...others.map(made)];
}

async function selfFacilitator(config: SelfConfig, signatures: SignatureFilter): Promise<Facilitator> {
  const [{ createSelfFacilitator }, { createWallet }, { loadSign }] = await Promise.all([
    import('./self-facilitator.ts'),
    import('../../facilitators/self/wallet.ts'),
    import('../../sign.ts'),
  ]);
  const { seller, facilitatorKey, rpcUrl, maxFeePerGas, confirmations } = config;
  const wallet = await createWallet(facilitatorKey, seller.network.chainId, await loadSign(facilitatorKey));
  const rpc = createRpc(rpcUrl);
  return createSelfFacilitator({ rpc, seller, wallet, signatures, maxFeePerGas, confirmations });
}
