import type { Clock } from '../domain/clock.ts';
import { usdText } from './amount.ts';
import {
  CHALLENGE_HEADER,
  HEADER_ROOM,
  headerEnds,
  headerValue,
  MAX_PATH_LENGTH,
} from './challenge-header.ts';
import type { PriceSchedule } from './prices.ts';
import { LONGEST_REASON, type ReasonCodes, type Refusal, refusalOf } from './reasons.ts';
import { MIME_TYPE, v1Entry } from './requirement.ts';
import { routeFaults } from './route-faults.ts';
import type { SaleSeam } from './sale.ts';
import { type Correction, offersOfV1, type SchemeOffer } from './scheme.ts';
import type { Seller } from './seller.ts';
import type { HttpReply, ProtectedRoute } from './types.ts';

/** Both headers decide the answer, so no cache may mix them up. */
export const PAYMENT_VARY = 'PAYMENT-SIGNATURE, X-PAYMENT';

const UNPAID = 'payment_required';
/** As the servers of x402 say it. */
const UNPAID_TEXT = 'Payment required';
const CACHED_REASONS = 64;

/** Makes the 402 of every route. */
export interface Challenges {
  challenge(route: ProtectedRoute, reason?: string, path?: string): HttpReply;
  /** The same of a payment that failed to settle, with room for its receipts among the headers. */
  refused(route: ProtectedRoute, reason: string, path?: string): HttpReply;
  /** The same for one buyer, whose entry says more. */
  corrected(route: ProtectedRoute, correction: Correction, path?: string): HttpReply;
  /** Offers that have no room in the header of some route's challenge. */
  readonly unnamed: readonly SchemeOffer[];
}

export type ChallengesResult =
  | { readonly ok: true; readonly value: Challenges }
  | { readonly ok: false; readonly errors: readonly string[] };

export interface ChallengeOptions {
  readonly seller: Seller;
  readonly prices: PriceSchedule;
  readonly clock: Clock;
  readonly routes: readonly ProtectedRoute[];
  /** In the order in which they are offered. */
  readonly schemes: readonly SchemeOffer[];
  /** The same terms, signed; in the body, since the header has no room for them. */
  readonly offers?: Pick<SaleSeam, 'minute' | 'extension'>;
}

/**
 * Checks all routes and prepares their challenges. Fails with every fault: an unpriced route, a description that catalogs
 * refuse, a challenge that does not fit the header limit.
 */
export function createChallenges(options: ChallengeOptions): ChallengesResult {
  const { prices, clock, routes } = options;
  const errors: string[] = [];
  const unnamed = new Set<SchemeOffer>();
  const encodings = { asked: new Map<string, Encoding>(), refused: new Map<string, Encoding>() };
  for (const route of routes) {
    errors.push(...routeFaults(route));
    const price = prices.priceAt(route.id, clock.now());
    if (price === undefined) errors.push(`route ${route.id}: not in the price list`);
    else {
      const encode = encoderOf(options, route, price.atomic);
      const asked = encode('asked');
      const refused = encode('refused');
      if (asked !== undefined && refused !== undefined) {
        encodings.asked.set(route.id, asked);
        encodings.refused.set(route.id, refused);
        for (const offer of asked.unnamed) unnamed.add(offer);
      } else {
        const most = HEADER_ROOM.refused;
        const remedy = isOnOne(options.schemes) ? '' : ' or offer fewer networks';
        errors.push(
          `route ${route.id}: its challenge is over ${most} bytes, shorten the base address${remedy}`,
        );
      }
    }
  }
  if (errors.length > 0) return { ok: false, errors };
  const challenge = cachedChallenge(options, encodings.asked, 'asked');
  const refused = cachedChallenge(options, encodings.refused, 'refused');
  const corrected: Challenges['corrected'] = (route, correction, path) =>
    correctedChallenge(options, route, correction, path) ?? challenge(route, correction.reason, path);
  return { ok: true, value: { challenge, refused, corrected, unnamed: [...unnamed] } };
}

const isOnOne = (schemes: readonly SchemeOffer[]): boolean =>
  new Set(schemes.map(({ seller }) => seller.network.id)).size <= 1;

/**
 * Made for one buyer, and never kept; undefined where it does not fit into the header. Of the scheme it has the corrected entry
 * alone, which needs the room, and which programs would not look for behind another one.
 */
function correctedChallenge(
  options: ChallengeOptions,
  route: ProtectedRoute,
  { reason, scheme, network, extra }: Correction,
  path: string | undefined,
): HttpReply | undefined {
  const amount = options.prices.priceAt(route.id, options.clock.now())?.atomic;
  const schemes = options.schemes.flatMap((offer) => {
    if (offer.name !== scheme) return offer;
    return offer.seller.network.id === network ? withExtra(offer, extra) : [];
  });
  const encoding =
    amount === undefined ? undefined : encoderOf({ ...options, schemes }, route, amount)('asked');
  if (encoding === undefined) return undefined;
  const concrete = route.pathParams === undefined ? route.path : usablePath(path, route.path);
  const made = assemble(encoding, route.id, reason, concrete, options);
  const value = headerValue(reason, options.seller.baseUrl + concrete, encoding.afterUrl);
  return { ...made, headers: { ...made.headers, [CHALLENGE_HEADER]: value } };
}

/** An offer whose terms say more. */
const withExtra = (offer: SchemeOffer, extra: Correction['extra']): SchemeOffer => ({
  ...offer,
  terms(amount) {
    const terms = offer.terms(amount);
    return { ...terms, extra: { ...terms.extra, ...extra } };
  },
});

const isClosed = (offer: SchemeOffer): boolean => offer.isOpen?.() === false;

type Room = keyof typeof HEADER_ROOM;

function cachedChallenge(
  options: ChallengeOptions,
  encodings: Map<string, Encoding>,
  room: Room,
): Challenges['challenge'] {
  const closable = options.schemes.filter(({ isOpen }) => isOpen !== undefined);
  const encodingOf = (route: ProtectedRoute): Encoding => {
    const amount = options.prices.priceAt(route.id, options.clock.now())?.atomic;
    const known = encodings.get(route.id);
    if (known !== undefined && known.amount === amount && known.isOfSame(closable)) return known;
    const made = amount === undefined ? undefined : encoderOf(options, route, amount)(room);
    if (made === undefined)
      throw new Error(`no challenge for route ${route.id}: it was not checked at start`);
    encodings.set(route.id, made);
    return made;
  };
  return (route, reason, path) => {
    const encoding = encodingOf(route);
    const concrete = route.pathParams === undefined ? route.path : usablePath(path, route.path);
    return reply(encoding, route.id, reason?.slice(0, LONGEST_REASON.length) ?? UNPAID, concrete, options);
  };
}

/** A challenge with holes for the reason and the path. */
interface Encoding {
  readonly amount: bigint;
  /** True while the same ones of some offers are open as when it was made: their terms say which. */
  readonly isOfSame: (offers: readonly SchemeOffer[]) => boolean;
  /** JSON text of the header after the resource's URL. */
  readonly afterUrl: string;
  /** Offers for which the header has no room. */
  readonly unnamed: readonly SchemeOffer[];
  readonly codes: ReasonCodes;
  readonly makeBody: (reason: string) => Buffer;
  readonly bodies: Map<string, Buffer>;
  /** Complete answers by reason, for the path template. */
  readonly replies: Map<string, HttpReply>;
  readonly templatePath: string;
  /** In which these answers were made: what they offer is signed again in the next. */
  minute: number | undefined;
}

/** Makes challenges of a route at a price, as far as the header has room. */
function encoderOf(
  { seller, schemes }: ChallengeOptions,
  route: ProtectedRoute,
  amount: bigint,
): (room: Room) => Encoding | undefined {
  const closed = new Set(schemes.filter(isClosed));
  const isOfSame: Encoding['isOfSame'] = (offers) =>
    offers.every((offer) => isClosed(offer) === closed.has(offer));
  const termsOf = ({ terms }: SchemeOffer) => terms(amount);
  const { offers, needed, known } = byNeed(schemes);
  const endIn = headerEnds(seller, route, { all: offers.map(termsOf), needed, known });
  const v1 = offersOfV1(schemes).flatMap((offer) => v1Entry(termsOf(offer), offer.seller, route) ?? []);
  const codes = codesOf(schemes);
  const price = usdText(amount);
  const makeBody = (reason: string): Buffer =>
    Buffer.from(JSON.stringify(bodyOf(refusalOf(reason, codes), price, v1)));
  const templatePath = route.path;
  return (room) => {
    const header = endIn(HEADER_ROOM[room]);
    if (header === undefined) return undefined;
    const unnamed = offers.slice(header.count);
    const caches = { bodies: new Map(), replies: new Map(), minute: undefined };
    return { amount, isOfSame, afterUrl: header.end, unnamed, codes, makeBody, ...caches, templatePath };
  };
}

/**
 * Offers in the order of their need: the scheme that all clients know, on every network; of each other scheme the first offer;
 * then its offers on further networks.
 */
function byNeed(schemes: readonly SchemeOffer[]) {
  const known = schemes.filter(({ isOfV1 }) => isOfV1);
  const others = schemes.filter(({ isOfV1 }) => !isOfV1);
  const isFirst = ({ name }: SchemeOffer, i: number): boolean =>
    others.findIndex((other) => other.name === name) === i;
  const firsts = others.filter(isFirst);
  const further = others.filter((offer, i) => !isFirst(offer, i));
  const needed = known.length + firsts.length;
  return { offers: [...known, ...firsts, ...further], needed, known: known.length };
}

const codesOf = (schemes: readonly SchemeOffer[]): ReasonCodes =>
  Object.assign({}, ...schemes.map(({ reasons }) => reasons));

function bodyOf(
  { code, detail }: Refusal,
  price: string,
  accepts: readonly unknown[],
): Readonly<Record<string, unknown>> {
  const how = `The price is ${price} USD: sign one of accepts and repeat the request with PAYMENT-SIGNATURE or X-PAYMENT.`;
  if (code === UNPAID) return { x402Version: 1, error: UNPAID_TEXT, accepts, code, detail: how };
  return { x402Version: 1, error: code, accepts, code, detail: `${detail} ${how}` };
}

/** The text of `error`. */
function errorOf(reason: string, codes: ReasonCodes): string {
  const { code } = refusalOf(reason, codes);
  return code === UNPAID ? UNPAID_TEXT : code;
}

function reply(
  encoding: Encoding,
  routeId: string,
  reason: string,
  path: string,
  options: ChallengeOptions,
): HttpReply {
  const minute = options.offers?.minute;
  if (encoding.minute !== minute) {
    encoding.minute = minute;
    encoding.replies.clear();
  }
  if (path !== encoding.templatePath) return assemble(encoding, routeId, reason, path, options);
  return (
    encoding.replies.get(reason) ??
    remember(encoding.replies, reason, assemble(encoding, routeId, reason, path, options))
  );
}

function assemble(
  encoding: Encoding,
  routeId: string,
  reason: string,
  path: string,
  { seller, offers }: ChallengeOptions,
): HttpReply {
  const { bodies, makeBody, amount, afterUrl, codes } = encoding;
  const plain = bodies.get(reason) ?? remember(bodies, reason, makeBody(reason));
  const extensions = offers?.extension(routeId, path, amount);
  return {
    status: 402,
    headers: {
      'content-type': MIME_TYPE,
      'cache-control': 'no-store',
      vary: PAYMENT_VARY,
      [CHALLENGE_HEADER]: headerValue(errorOf(reason, codes), seller.baseUrl + path, afterUrl),
    },
    body: extensions === undefined ? plain : withExtensions(plain, extensions),
  };
}

/** The object of a body with one more member, at its end. */
const withExtensions = (body: Buffer, extensions: string): Buffer =>
  Buffer.concat([body.subarray(0, -1), Buffer.from(`,"extensions":${extensions}}`)]);

/** Bounded: reasons of a facilitator are not ours to count. */
function remember<T>(cache: Map<string, T>, reason: string, made: T): T {
  if (cache.size < CACHED_REASONS) cache.set(reason, made);
  return made;
}

/** The request's own path where it is short and plain (a quote or a backslash takes two bytes in JSON), else the template. */
function usablePath(path: string | undefined, template: string): string {
  return path !== undefined && path.length <= MAX_PATH_LENGTH && /^\/[\x21\x23-\x5b\x5d-\x7e]*$/.test(path)
    ? path
    : template;
}
