import { afterEach, beforeEach, expect } from 'vitest';
import type { SettleOutcome } from '../../src/pay/facilitator.ts';
import type { LedgerLimits } from '../../src/pay/ledger.ts';
import type { LedgerStore } from '../../src/pay/ledger-store.ts';
import type { PaymentRecord } from '../../src/pay/record.ts';
import type { SettlementVerifier } from '../../src/pay/schemes/exact/proof.ts';
import { until } from '../until.ts';
import { type FakeClock, type FakeFacilitator, fakeClock, fakeFacilitator, TRANSACTION } from './fakes.ts';
import { type PaidServer, startPaidServer } from './paid-server.ts';
import {
  encodeHeader,
  newAccount,
  type SignedAuthorization,
  signAuthorization,
  v2Payload,
} from './wallet.ts';

export const buyer = newAccount();
export const PAYEE = newAccount().address;
export const BASIS = '/v1/perp/basis?ticker=BTC';
export const ID = { 'Idempotency-Key': 'order-0123456789abcdef' };
export const TIMEOUT: SettleOutcome = {
  kind: 'unknown',
  reason: 'TimeoutError',
  pending: false,
  transaction: undefined,
};
export const PENDING = {
  kind: 'unknown',
  reason: 'settlement_pending',
  pending: true,
  transaction: TRANSACTION,
} as const satisfies SettleOutcome;

export const BAD_GATEWAY: SettleOutcome = {
  kind: 'unknown',
  reason: 'status_502',
  pending: false,
  failed: true,
  transaction: undefined,
};
export const SETTLED: SettleOutcome = { kind: 'settled', transaction: TRANSACTION };

export let clock: FakeClock;
export let facilitator: FakeFacilitator;
export let paidServer: PaidServer;

interface SaleOptions {
  readonly proof?: SettlementVerifier;
  readonly limits?: LedgerLimits;
  readonly store?: LedgerStore;
}

export async function open(options: SaleOptions = {}): Promise<void> {
  clock = fakeClock();
  facilitator = fakeFacilitator();
  paidServer = await startPaidServer({ facilitator, payTo: PAYEE, clock, ...options });
}

/** A seller with a facilitator of the test's own, new for each test of the file that calls it. */
export function useSale(): void {
  beforeEach(() => open());
  afterEach(() => paidServer.stop());
}

export async function reopen(options: SaleOptions): Promise<void> {
  await paidServer.stop();
  await open(options);
}

export const sign = (): Promise<SignedAuthorization> =>
  signAuthorization(buyer, paidServer.seller, { value: '5000' });

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

export async function pay(
  signed: SignedAuthorization,
  more: Record<string, string> = {},
  path = BASIS,
): Promise<Answer> {
  const headers = { 'PAYMENT-SIGNATURE': encodeHeader(v2Payload(paidServer.seller, signed)), ...more };
  const response = await fetch(paidServer.url + path, { headers });
  const text = await response.text();
  return {
    status: response.status,
    text,
    body: JSON.parse(text) as Record<string, unknown>,
    headers: response.headers,
  };
}

export const state = async (): Promise<PaymentRecord | undefined> =>
  (await paidServer.ledger.list({ limit: 1 }))[0];
export const delivered = (): Promise<void> =>
  until(async () => expect((await state())?.state).toBe('delivered'));

export function expectUnknown(answer: Answer): void {
  expect([answer.status, answer.body.code]).toEqual([503, 'settlement_unknown']);
  expect(answer.headers.get('payment-required')).toBeNull();
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(answer.text).not.toContain('product');
}
