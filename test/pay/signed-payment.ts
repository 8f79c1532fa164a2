import { parsePayment } from '../../src/pay/parse-payment.ts';
import type { Payment } from '../../src/pay/payment.ts';
import { paidRoutes, sellerAt } from './routes.ts';
import { newAccount, signAuthorization, v1Payload, v2Payload } from './wallet.ts';

/** One payment, as buyers of both generations write it. */
export const seller = sellerAt();
export const account = newAccount();
export const signed = await signAuthorization(account, seller);
export const v2 = v2Payload(seller, signed);
export const v1 = v1Payload(signed);
export const routes = paidRoutes();

/** A header that can be read, read. */
export function parsed(header: string): Payment {
  const result = parsePayment({ xPayment: header });
  if (!result.ok) throw new Error(result.reason);
  return result.value;
}

export const withPayload = (change: object): object => ({ ...v2, payload: { ...signed, ...change } });
export const withAuthorization = (change: object): object =>
  withPayload({ authorization: { ...signed.authorization, ...change } });
