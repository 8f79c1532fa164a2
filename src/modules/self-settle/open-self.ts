import type { SelfConfig } from '../../pay/config.ts';
import type { OwnFacilitatorOpener } from '../../pay/own-facilitator.ts';
import { createRpc } from '../../pay/rpc.ts';
import { loadSign } from '../../pay/sign.ts';
import { CallSender } from './call-sender.ts';
import { CLAIM_GAS } from './gas.ts';
import { createSelfFacilitator } from './self-facilitator.ts';
import type { SelfTerms } from './terms.ts';
import { createWallet } from './wallet.ts';

/**
 * Settles through the operator's nodes and with the operator's key. The schemes of a service share one sender on each network.
 *
 * @param termsOn the terms on a network, by CAIP-2 name
 */
export function selfFacilitator(termsOn: (network: string) => SelfTerms): OwnFacilitatorOpener {
  const senders = new Map<string, Promise<CallSender>>();
  return async (config, calls) => {
    const { id, chainId } = config.seller.network;
    const terms = termsOn(id);
    const opened = senders.get(id) ?? openSender(config, terms);
    senders.set(id, opened);
    const facilitator = createSelfFacilitator({ sender: await opened, calls, chainId });
    return { facilitator, confirmations: terms.confirmations };
  };
}

async function openSender(config: SelfConfig, terms: SelfTerms): Promise<CallSender> {
  const { seller, facilitatorKey, rpcUrl } = config;
  const { maxFeePerGas, confirmations } = terms;
  const wallet = await createWallet(facilitatorKey, seller.network.chainId, await loadSign(facilitatorKey));
  const largestGas = config.channels === undefined ? undefined : CLAIM_GAS;
  return new CallSender({ rpc: createRpc(rpcUrl), wallet, maxFeePerGas, largestGas, confirmations });
}
