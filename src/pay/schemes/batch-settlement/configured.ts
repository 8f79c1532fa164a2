import type { Facilitator } from '../../facilitator.ts';
import { DEFAULT_TIMEOUTS } from '../../facilitators/client.ts';
import { openOwnFacilitator } from '../../own-facilitator.ts';
import type { OpenSchemeOptions } from '../entry.ts';
import { CHANNEL_CALLS } from './settling-calls.ts';
import { SCHEME_NAME } from './terms.ts';

type Facilitators = readonly [Facilitator, ...Facilitator[]];

/** Those who send deposits and claims. */
export async function channelFacilitators({
  config,
  ownFacilitator,
}: Pick<OpenSchemeOptions, 'config' | 'ownFacilitator'>): Promise<Facilitators> {
  const network = config.seller.network.id;
  if (config.mode === 'sandbox') {
    const { createChannelSandbox } = await import('./sandbox-facilitator.ts');
    const { rpcUrl, facilitatorKey: privateKey } = config;
    return [
      await createChannelSandbox({ rpcUrl, privateKey, network: `eip155:${config.seller.network.chainId}` }),
    ];
  }
  if (config.mode === 'self') {
    return [(await openOwnFacilitator(ownFacilitator, config, CHANNEL_CALLS)).facilitator];
  }
  const { createRemoteFacilitator } = await import('../../facilitators/remote.ts');
  const { facilitators, verifyTimeoutMs: verifyMs, settleTimeoutMs: settleMs } = config;
  const times = { ...DEFAULT_TIMEOUTS, verifyMs, settleMs };
  const [first, ...others] = facilitators.map(({ url, auth }) =>
    createRemoteFacilitator({ url, auth, scheme: SCHEME_NAME, network, times }),
  );
  if (first === undefined) throw new Error('no facilitator is configured');
  return [first, ...others];
}
