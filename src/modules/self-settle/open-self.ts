import { createRpc } from '../../pay/rpc.ts';
import type { OwnFacilitatorOpener } from '../../pay/schemes/exact/own-facilitator.ts';
import { loadSign } from '../../pay/sign.ts';
import { createSelfFacilitator } from './self-facilitator.ts';
import type { SelfTerms } from './terms.ts';
import { createWallet } from './wallet.ts';

/** Settles through the operator's node and with the operator's key. */
export const selfFacilitator =
  ({ maxFeePerGas, confirmations }: SelfTerms): OwnFacilitatorOpener =>
  async ({ seller, facilitatorKey, rpcUrl }, signatures) => {
    const sign = await loadSign(facilitatorKey);
    const wallet = await createWallet(facilitatorKey, seller.network.chainId, sign);
    const rpc = createRpc(rpcUrl);
    const options = { rpc, seller, wallet, signatures, maxFeePerGas, confirmations };
    return { facilitator: createSelfFacilitator(options), confirmations };
  };
