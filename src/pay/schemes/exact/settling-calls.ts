import type { RevertKind } from '../../revert.ts';
import type { Rpc } from '../../rpc.ts';
import type { Seller } from '../../seller.ts';
import type { SettlingCalls } from '../../settling-calls.ts';
import { expiryOf } from '../authorization-window.ts';
import { isPaidBy } from './proof.ts';
import type { ExactRequest } from './request.ts';
import type { SignatureFilter } from './signature.ts';
import { transferCall } from './transfer-call.ts';

/** ERC-6492: the wallet does not exist yet, and this service deploys nothing for others. */
const UNDEPLOYED = /(?:6492){16}$/;

const REASONS: Readonly<Record<RevertKind, string>> = {
  used: 'invalid_exact_evm_nonce_already_used',
  expired: 'invalid_exact_evm_payload_authorization_valid_before',
  early: 'invalid_exact_evm_payload_authorization_valid_after',
  signature: 'invalid_exact_evm_signature',
  balance: 'invalid_exact_evm_insufficient_balance',
  blacklisted: 'payer_blacklisted',
  paused: 'token_paused',
  unnamed: 'invalid_exact_evm_transaction_simulation_failed',
};

/** Transfers by authorization, for a process that settles by its own transactions. */
export function exactCalls({ asset }: Pick<Seller, 'asset'>, signatures: SignatureFilter): SettlingCalls {
  return {
    contracts: [asset],
    reasons: REASONS,
    /** The signature against the payer's key. */
    async fault({ payload }: ExactRequest, rpc) {
      if (UNDEPLOYED.test(payload.signature)) return 'eip6492_factory_not_allowed';
      if ((await signatures.check(payload)) === 'match') return undefined;
      return (await isPlainAccount(rpc, payload.authorization.from)) ? REASONS.signature : undefined;
    },
    callOf({ payload: { authorization, signature }, requirement }: ExactRequest) {
      const { from: payer, nonce } = authorization;
      const { payTo, amount } = requirement;
      return {
        to: requirement.asset as `0x${string}`,
        data: transferCall(authorization, signature),
        uselessAt: expiryOf(authorization),
        // A token may take a used nonce without reverting: only its logs say that the money moved.
        isDoneBy: (receipt) => isPaidBy(receipt, { asset: requirement.asset, payTo, amount, payer, nonce }),
      };
    },
  };
}

async function isPlainAccount(rpc: Rpc, address: string): Promise<boolean> {
  return (await rpc('eth_getCode', [address, 'latest'])) === '0x';
}
