import type { PaymentReason } from '../domain/payment-errors.ts';
import { sameAddress } from './address.ts';
import type { Payment } from './payment.ts';
import { isNetworkOf, type Scheme } from './scheme.ts';
import { MAX_TIMEOUT_SECONDS, type Seller } from './seller.ts';
import type { ProtectedRoute } from './types.ts';

/** The price that a payment pays, or why it is refused. */
export type CheckedTerms =
  | { readonly ok: true; readonly amount: bigint }
  | { readonly ok: false; readonly reason: PaymentReason };

const refused = (reason: PaymentReason): CheckedTerms => ({ ok: false, reason });

/**
 * Checks a payment's fields against our own terms, never against the buyer's echo of them: network, asset,
 * receiver, price, and that the resource it names (where it names one) is of this route.
 *
 * @param amounts the price in force, and the one before for a short time after a change; atomic units
 */
export async function checkTerms(
  scheme: Scheme,
  payment: Payment,
  route: ProtectedRoute,
  amounts: readonly bigint[],
): Promise<CheckedTerms> {
  const { terms } = payment;
  const { seller } = scheme;
  if (!isNetworkOf(seller, terms.network)) return refused('invalid_network');
  if (terms.asset !== undefined && !sameAddress(terms.asset, seller.asset)) return refused('invalid_asset');
  if (terms.payTo !== undefined && !sameAddress(terms.payTo, seller.payTo))
    return refused('invalid_recipient');
  const amount = await scheme.priceOf(payment, amounts);
  if (typeof amount === 'string') return refused(amount);
  if (terms.amount !== undefined && terms.amount !== amount.toString()) return refused('invalid_amount');
  if (terms.maxTimeoutSeconds !== undefined && terms.maxTimeoutSeconds !== MAX_TIMEOUT_SECONDS) {
    return refused('invalid_timeout');
  }
  return namesOtherRoute(payment.resourceUrl, seller, route)
    ? refused('invalid_resource')
    : { ok: true, amount };
}

/** The signature does not cover the resource: an echo of another route is a mix-up or a substitution. */
function namesOtherRoute(url: string | undefined, seller: Seller, route: ProtectedRoute): boolean {
  // Most clients give back the address of the challenge as it is.
  if (url === undefined || url === seller.baseUrl + route.path) return false;
  const named = pathOf(url);
  if (named === null) return false;
  const prefix = pathOf(seller.baseUrl)?.replace(/\/$/, '') ?? '';
  if (named === undefined) return true;
  return !templatePattern(route.path).test(named.startsWith(prefix) ? named.slice(prefix.length) : named);
}

/** The decoded path of an address; undefined where it cannot be decoded, null where it is none. */
function pathOf(url: string): string | null | undefined {
  return URL.canParse(url) ? decodePath(new URL(url).pathname) : null;
}

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

const NAME = String.raw`(?!\.\.?(?:/|$))[^/]+`;

/** The addresses of a route, decoded: a symbol may have a slash, as some venues write theirs. */
function templatePattern(template: string): RegExp {
  const literal = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  const pattern = (name: string): string => (name === '{symbol}' ? `${NAME}(?:/${NAME})?` : NAME);
  return new RegExp(`^${literal.replace(/\{[^}]+\}/g, pattern)}/?$`);
}
