import { CallSender, type CallSenderOptions } from '../../src/modules/self-settle/call-sender.ts';
import { createSelfFacilitator } from '../../src/modules/self-settle/self-facilitator.ts';
import type { Facilitator } from '../../src/pay/facilitator.ts';
import { loadCheckSigner } from '../../src/pay/recover.ts';
import { exactCalls } from '../../src/pay/schemes/exact/settling-calls.ts';
import { createSignatureFilter } from '../../src/pay/schemes/exact/signature.ts';
import type { Seller } from '../../src/pay/seller.ts';

/** Our own facilitator of transfers to a seller. */
export async function selfExact(seller: Seller, options: CallSenderOptions): Promise<Facilitator> {
  return createSelfFacilitator({
    sender: new CallSender(options),
    calls: exactCalls(seller, createSignatureFilter(seller, await loadCheckSigner())),
    chainId: seller.network.chainId,
  });
}
