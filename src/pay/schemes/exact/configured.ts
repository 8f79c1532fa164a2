import type { RemoteConfig, SandboxConfig } from '../../config.ts';
import type { RemoteEndpoint } from '../../config-facilitators.ts';
import type { Facilitator } from '../../facilitator.ts';
import { DEFAULT_TIMEOUTS } from '../../facilitators/client.ts';
import { EXACT_FORMAT } from './format.ts';

type Facilitators = readonly [Facilitator, ...Facilitator[]];

/** Loads only the facilitator that is configured: those with a chain client bring a lot of code. */
export async function facilitatorsOf(config: RemoteConfig | SandboxConfig): Promise<Facilitators> {
  if (config.mode === 'remote') return remoteFacilitators(config);
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
