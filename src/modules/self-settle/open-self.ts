import type { SelfConfig } from '../../pay/config.ts';
import type { OwnFacilitatorOpener } from '../../pay/own-facilitator.ts';
import { createRpc } from '../../pay/rpc.ts';
import { loadSign } from '../../pay/sign.ts';
import { CallSender } from './call-sender.ts';
import { createSelfFacilitator } from './self-facilitator.ts';
import type { SelfTerms } from './terms.ts';
import { createWallet } from './wallet.ts';

/** Settles through the operator's node and with the operator's key. The schemes of a service share one sender. */
export function selfFacilitator(terms: SelfTerms): OwnFacilitatorOpener {
  let opened: Promise<CallSender> | undefined;
  return async (config, calls) => {
    opened ??= openSender(config, terms);
    const { chainId } = config.seller.network;
    const facilitator = createSelfFacilitator({ sender: await opened, calls, chainId });
    return { facilitator, confirmations: terms.confirmations };
  };
}

async function openSender(config: SelfConfig, terms: SelfTerms): Promise<CallSender> {
  const { seller, facilitatorKey, rpcUrl } = config;
  const { maxFeePerGas, confirmations } = terms;
  const wallet = await createWallet(facilitatorKey, seller.network.chainId, await loadSign(facilitatorKey));
  return new CallSender({ rpc: createRpc(rpcUrl), wallet, maxFeePerGas, confirmations });
}
