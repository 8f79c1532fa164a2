import { x402Facilitator } from '@x402/core/facilitator';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { createWalletClient, custom, publicActions } from 'viem';
import { generatePrivateKey, nonceManager, privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import { protectedRoutes } from '../../src/api/catalog.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { CallSender } from '../../src/modules/self-settle/call-sender.ts';
import { createSelfFacilitator } from '../../src/modules/self-settle/self-facilitator.ts';
import { createWallet } from '../../src/modules/self-settle/wallet.ts';
import { loadCheckSigner } from '../../src/pay/recover.ts';
import type { Rpc } from '../../src/pay/rpc.ts';
import { exactTerms } from '../../src/pay/schemes/exact/offer.ts';
import { settlementRequest } from '../../src/pay/schemes/exact/request.ts';
import { exactCalls } from '../../src/pay/schemes/exact/settling-calls.ts';
import { createSignatureFilter } from '../../src/pay/schemes/exact/signature.ts';
import type { Seller } from '../../src/pay/seller.ts';
import { loadSign } from '../../src/pay/sign.ts';
import { SOLD } from './terms.ts';
import type { Signed } from './wallet.ts';

/** Verifies a payment, then settles it; throws where either says no. */
export type Facilitate = (signed: Signed) => Promise<void>;

const MAX_FEE = 100_000_000_000n;

/** Mode `self` of the service. */
export async function facilitateOurs(seller: Seller, rpc: Rpc): Promise<Facilitate> {
  const key = generatePrivateKey();
  const { chainId } = seller.network;
  const wallet = await createWallet(key, chainId, await loadSign(key));
  const facilitator = createSelfFacilitator({
    sender: new CallSender({ rpc, wallet, maxFeePerGas: MAX_FEE }),
    calls: exactCalls(seller, createSignatureFilter(seller, await loadCheckSigner())),
    chainId,
  });
  const route = protectedRoutes(ROUTES).find(({ id }) => id === SOLD.routeId);
  if (route === undefined) throw new Error(`no route ${SOLD.routeId}`);
  return async (signed) => {
    const { value: amount, from: payer } = signed.authorization;
    const request = settlementRequest(seller, route, { payer, resource: SOLD.path, amount, signed });
    const verified = await facilitator.verify(request, { doubtful: false });
    if (verified.kind !== 'valid') throw new Error(`verify: ${JSON.stringify(verified)}`);
    const settled = await facilitator.settle(request);
    if (settled.kind !== 'settled') throw new Error(`settle: ${JSON.stringify(settled)}`);
  };
}

/** The official facilitator in this process, over viem, as its documentation puts it together. */
export function facilitateOfficial(seller: Seller, rpc: Rpc): Facilitate {
  const account = privateKeyToAccount(generatePrivateKey(), { nonceManager });
  const request = ({ method, params }: { readonly method: string; readonly params?: unknown }) =>
    rpc(method, Array.isArray(params) ? params : []);
  const transport = custom({ request }, { retryCount: 0 });
  const client = createWalletClient({ account, chain: base, transport }).extend(publicActions);
  const signer = toFacilitatorEvmSigner({
    address: account.address,
    readContract: (args) => client.readContract({ ...args, args: args.args ?? [] }),
    verifyTypedData: (args) => client.verifyTypedData(args as Parameters<typeof client.verifyTypedData>[0]),
    writeContract: (args) => client.writeContract({ ...args, account, chain: base }),
    sendTransaction: (args) => client.sendTransaction({ ...args, account, chain: base }),
    waitForTransactionReceipt: (args) => client.waitForTransactionReceipt(args),
    getCode: (args) => client.getCode(args),
  });
  const facilitator = new x402Facilitator().register(`eip155:${base.id}`, new ExactEvmScheme(signer));
  return async ({ authorization, signature }) => {
    const core = exactTerms(seller, BigInt(authorization.value));
    const accepted: PaymentRequirements = { ...core, extra: { ...core.extra } };
    const payload: PaymentPayload = {
      x402Version: 2,
      accepted,
      payload: { signature, authorization: { ...authorization } },
    };
    const verified = await facilitator.verify(payload, accepted);
    if (!verified.isValid) throw new Error(`verify: ${JSON.stringify(verified)}`);
    const settled = await facilitator.settle(payload, accepted);
    if (!settled.success) throw new Error(`settle: ${JSON.stringify(settled)}`);
  };
}
