import { asMs } from '../../src/domain/units.ts';
import { type ParsedPayment, parsePayment } from '../../src/pay/parse-payment.ts';
import type { Payment } from '../../src/pay/payment.ts';
import type { SignedAuthorization } from '../../src/pay/schemes/exact/authorization.ts';
import type { PaymentInput } from '../../src/pay/types.ts';
import { exactWith, TRUSTING } from './exact.ts';
import { fakeFacilitator } from './fakes.ts';
import { paidRoutes, sellerAt } from './routes.ts';
import { newAccount, signAuthorization, v1Payload, v2Payload } from './wallet.ts';

/** One payment, as buyers of both generations write it. */
export const seller = sellerAt();
export const account = newAccount();
export const signed = await signAuthorization(account, seller);
export const v2 = v2Payload(seller, signed);
export const v1 = v1Payload(signed);
export const routes = paidRoutes();

/** The only scheme of this seller. */
export const exact = exactWith(TRUSTING, {
  seller,
  routes,
  clock: { now: () => asMs(Date.now()) },
  facilitators: [fakeFacilitator()],
});

/** The headers of a request, read. */
export const parse = (
  input: Pick<PaymentInput, 'xPayment' | 'paymentSignature' | 'idempotencyKey'>,
): ParsedPayment => parsePayment(input, [exact]);

/** A header that can be read, read. */
export function parsed(header: string): Payment<SignedAuthorization> {
  const result = parse({ xPayment: header });
  if (!result.ok) throw new Error(result.reason);
  return result.value as Payment<SignedAuthorization>;
}

export const withPayload = (change: object): object => ({ ...v2, payload: { ...signed, ...change } });
export const withAuthorization = (change: object): object =>
  withPayload({ authorization: { ...signed.authorization, ...change } });
