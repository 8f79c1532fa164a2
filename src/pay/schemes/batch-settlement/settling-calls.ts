import { MINUTE_MS } from '../../../runtime/duration.ts';
import type { SettlementRequest } from '../../facilitator.ts';
import type { RevertKind } from '../../revert.ts';
import type { SettlingCalls } from '../../settling-calls.ts';
import { expiryOf } from '../authorization-window.ts';
import { type ChannelCallPayload, channelCall } from './calls.ts';
import { DEPOSIT_COLLECTOR, SETTLEMENT_CONTRACT } from './contract.ts';

/** A claim that is not mined in time is made by the next look at the channels, for more. */
const CLAIM_MS = MINUTE_MS;

/** The codes of a buyer whose deposit would be refused. */
const REASONS: Readonly<Record<RevertKind, string>> = {
  used: 'authorization_used',
  expired: 'authorization_expired',
  early: 'authorization_not_yet_valid',
  signature: 'invalid_signature',
  balance: 'insufficient_funds',
  blacklisted: 'account_blocked',
  paused: 'token_paused',
  unnamed: 'payment_would_fail',
};

/** Deposits, claims, settlements and refunds of channels, for a process that sends its own transactions. */
export const CHANNEL_CALLS: SettlingCalls = {
  contracts: [SETTLEMENT_CONTRACT, DEPOSIT_COLLECTOR],
  reasons: REASONS,
  callOf: ({ payload }: SettlementRequest<ChannelCallPayload>) => ({
    to: SETTLEMENT_CONTRACT,
    data: channelCall(payload),
    uselessAt: uselessAt(payload),
    // The contract reverts where it does not do what it is called for.
    isDoneBy: () => true,
  }),
};

function uselessAt(payload: ChannelCallPayload): number {
  return payload.type === 'deposit'
    ? expiryOf(payload.deposit.authorization.erc3009Authorization)
    : Date.now() + CLAIM_MS;
}
