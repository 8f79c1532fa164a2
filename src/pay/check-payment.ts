import type { PaymentReason } from '../domain/payment-errors.ts';
import type { UnixMs } from '../domain/units.ts';
import { sameAddress } from './address.ts';
import type { Payment } from './payment.ts';
import { SCHEME } from './requirement.ts';
import { MAX_TIMEOUT_SECONDS, type Seller } from './seller.ts';
import type { ProtectedRoute } from './types.ts';

/** A facilitator wants this much left; later submissions could miss their block. */
const MIN_SECONDS_LEFT = 6;
/** A longer promise is refused: a nonce would have to be kept locked, and a stolen header stays spendable. */
const MAX_SECONDS_LEFT = 660;

/**
 * Checks a payment's fields against our own terms, never against the buyer's echo of them: scheme, network, asset,
 * receiver, exact value, and that the resource it names (where it names one) is of this route.
 *
 * @param amounts the price in force, and the one before for a short time after a change; atomic units
 */
export function checkTerms(
  payment: Payment,
  seller: Seller,
  route: ProtectedRoute,
  amounts: readonly bigint[],
): PaymentReason | undefined {
  const { terms, authorization } = payment;
  if (terms.scheme !== SCHEME) return 'invalid_scheme';
  if (terms.network !== seller.network.id && terms.network !== seller.network.v1Name)
    return 'invalid_network';
  if (terms.asset !== undefined && !sameAddress(terms.asset, seller.asset)) return 'invalid_asset';
  if (terms.payTo !== undefined && !sameAddress(terms.payTo, seller.payTo)) return 'invalid_recipient';
  if (!sameAddress(authorization.to, seller.payTo)) return 'invalid_recipient';
  if (!amounts.includes(BigInt(authorization.value))) return 'invalid_amount';
  if (terms.amount !== undefined && terms.amount !== authorization.value) return 'invalid_amount';
  if (terms.maxTimeoutSeconds !== undefined && terms.maxTimeoutSeconds !== MAX_TIMEOUT_SECONDS) {
    return 'invalid_timeout';
  }
  return namesOtherRoute(payment.resourceUrl, seller, route) ? 'invalid_resource' : undefined;
}

/** validAfter <= now and now + 6 s <= validBefore <= now + 660 s, in whole seconds. */
export function checkWindow(payment: Payment, now: UnixMs): PaymentReason | undefined {
  const seconds = Math.floor(now / 1000);
  // Times that a double does not hold exactly are thousands of years away from all bounds.
  if (Number(payment.authorization.validAfter) > seconds) return 'authorization_not_yet_valid';
  const left = Number(payment.authorization.validBefore) - seconds;
  if (left < MIN_SECONDS_LEFT) return 'authorization_expired';
  return left > MAX_SECONDS_LEFT ? 'authorization_too_long' : undefined;
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
