import { iso } from '../domain/clock.ts';
import type { UnixMs } from '../domain/units.ts';
import { checksumAddress } from './address.ts';
import { type PaymentRecord, type PaymentState, pathOf } from './record.ts';

/** A payment as the operator sees it: without the signature and the hash of the payment identifier. */
export interface LedgerRow {
  readonly claimed_at: string;
  readonly state: PaymentState;
  readonly route_id: string;
  readonly path: string;
  readonly usd: string;
  readonly amount: string;
  readonly network: string;
  readonly asset: string;
  readonly pay_to: string;
  readonly payer: string;
  readonly nonce: string;
  readonly transaction: string | null;
  readonly proof: string | null;
  readonly reason: string | null;
  readonly settled_at: string | null;
  readonly delivered_at: string | null;
  readonly closed_at: string | null;
}

export function ledgerRow(record: PaymentRecord): LedgerRow {
  return {
    claimed_at: iso(record.claimedAt),
    state: record.state,
    route_id: record.routeId,
    path: pathOf(record),
    usd: record.usd,
    amount: record.amount,
    network: record.network,
    asset: record.asset,
    pay_to: record.payTo,
    payer: checksumAddress(record.payer),
    nonce: record.nonce,
    transaction: record.transaction ?? null,
    proof: record.proof ?? null,
    reason: record.reason ?? null,
    settled_at: time(record.settledAt),
    delivered_at: time(record.deliveredAt),
    closed_at: time(record.closedAt),
  };
}

function time(at: UnixMs | undefined): string | null {
  return at === undefined ? null : iso(at);
}
