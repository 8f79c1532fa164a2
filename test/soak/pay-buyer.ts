import { Agent, request } from 'undici';
import { systemClock } from '../../src/domain/clock.ts';
import type { Seller } from '../../src/pay/seller.ts';
import { paidRoutes, shippedPrices } from '../pay/routes.ts';
import {
  encodeHeader,
  type SignedAuthorization,
  type Signer,
  signAuthorization,
  v1Payload,
  v2Payload,
  type WireAuthorization,
} from '../pay/wallet.ts';
import type { Random } from './random.ts';

/** The behaviour of a buyer. All but the first four should never get anything. */
const KINDS = [
  'plain',
  'race',
  'cut',
  'anew',
  'other_route',
  'forged',
  'short',
  'stale',
  'wrong_payee',
] as const;
export type PurchaseKind = (typeof KINDS)[number];
/** Honest buyers are the most. */
const DRAWN: readonly PurchaseKind[] = ['plain', 'plain', 'plain', 'plain', 'race', 'race', 'cut', ...KINDS];
/** Of a purchase that is signed for again each time that it is presented. */
const SIGNATURES = 6;

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** One purchase and everything that was answered to it. */
export interface Sale {
  readonly kind: PurchaseKind;
  /** Of its payments, one unless it is signed anew: one of them may be taken. */
  readonly nonces: readonly string[];
  readonly withId: boolean;
  readonly answers: readonly Answer[];
  /** Presents the last of its payments for the same request once more. */
  readonly again: (url: string) => Promise<Answer>;
}

export interface BuyerParts {
  readonly random: Random;
  readonly account: Signer;
  readonly seller: Seller;
  readonly urls: readonly string[];
  /** Presents each payment only once. */
  readonly once?: boolean;
}

const prices = shippedPrices();
const SHOP = paidRoutes().map(({ id, path }) => ({
  path: path.replace(/\{[^}]+\}/g, 'btc'),
  price: prices.priceAt(id, systemClock.now())?.atomic ?? 0n,
}));
const AGENT = new Agent({ keepAliveTimeout: 1_000 });
/** An answer that takes longer is not waited for. */
const PATIENCE_MS = 5_000;

/** Signs the payments of one purchase and presents them as its kind does. */
export async function buyOnce(parts: BuyerParts): Promise<Sale> {
  const { random, urls, once } = parts;
  const kind = random.pick(DRAWN);
  const { path, price } = random.pick(SHOP);
  const other = SHOP.find((route) => route.price !== price) ?? { path, price };
  const withId = random.chance(0.2) || kind === 'anew';
  const v1 = random.chance(0.3);
  const moves = { first: random.between(0, 1), many: random.between(2, 5), after: random.between(0, 60) };
  const payments = await signAll(parts, { kind, price, withId, v1 });
  const target = `${kind === 'other_route' ? other.path : path}?ticker=BTC`;
  const ask = (n: number, patience = PATIENCE_MS): Promise<Answer> =>
    get(`${urls[(moves.first + n) % urls.length]}${target}`, headersAt(payments, n), patience);
  const answers: Answer[] = [];
  const again = (url: string): Promise<Answer> =>
    get(`${url}${target}`, headersAt(payments, payments.length - 1), PATIENCE_MS);
  const nonces = payments.map(({ nonce }) => nonce);
  const isRace = kind === 'race' || (kind === 'anew' && random.chance(0.5));
  if (isRace) {
    answers.push(...(await Promise.all(Array.from({ length: moves.many }, (_, n) => ask(n)))));
  } else answers.push(await ask(0, kind === 'cut' ? moves.after + 1 : PATIENCE_MS));
  if (once === true) return { kind, nonces, withId, answers, again };
  // A buyer whose request is deferred comes back, for a while; one of the two other processes answers as well.
  for (let n = 1; n <= 3 && answers.every(({ status }) => status !== 200) && mayRetry(answers); n++) {
    await new Promise((resolve) => setTimeout(resolve, 150 * n));
    answers.push(await ask(n));
  }
  // And again after he has it: a paid answer is had once, or with the payment identifier.
  if (random.chance(kind === 'anew' ? 0.5 : 0.1)) answers.push(await ask(moves.many));
  return { kind, nonces, withId, answers, again };
}

/** A payment as it is presented. */
interface Presented {
  readonly nonce: string;
  readonly headers: Record<string, string>;
}

interface Purchase {
  readonly kind: PurchaseKind;
  readonly price: bigint;
  readonly withId: boolean;
  readonly v1: boolean;
}

/** The payments of a purchase, all under the first one's identifier. */
async function signAll(
  { account, seller }: BuyerParts,
  { kind, price, withId, v1 }: Purchase,
): Promise<readonly Presented[]> {
  const terms = { value: String(price), ...changeOf(kind, price) };
  const all = await Promise.all(
    Array.from({ length: kind === 'anew' ? SIGNATURES : 1 }, () => signAuthorization(account, seller, terms)),
  );
  const named = all[0]?.authorization.nonce.slice(2, 40);
  return all.map((signed) => {
    const payment = kind === 'forged' ? forge(signed) : signed;
    const { nonce } = signed.authorization;
    const headers = {
      [v1 ? 'X-PAYMENT' : 'PAYMENT-SIGNATURE']: encodeHeader(
        v1 ? v1Payload(payment) : v2Payload(seller, payment),
      ),
      'x-test-address': nonce.slice(0, 20),
      ...(withId ? { 'Idempotency-Key': `order-${named}` } : {}),
    };
    return { nonce, headers };
  });
}

const headersAt = (payments: readonly Presented[], n: number): Record<string, string> =>
  payments[n % payments.length]?.headers ?? {};

function changeOf(kind: PurchaseKind, price: bigint): Partial<WireAuthorization> {
  if (kind === 'short') return { value: String(price - 1n) };
  if (kind === 'stale') return { validBefore: String(Math.floor(Date.now() / 1000) + 3) };
  return kind === 'wrong_payee' ? { to: `0x${'77'.repeat(20)}` } : {};
}

function forge(signed: SignedAuthorization): SignedAuthorization {
  return { ...signed, signature: `0x${'5a'.repeat(64)}1b` };
}

function mayRetry(answers: readonly Answer[]): boolean {
  return answers.some(({ status }) => status === 503 || status === 409 || status === 0);
}

/** Status 0 where the connection broke, or was broken off. */
async function get(url: string, headers: Record<string, string>, patienceMs: number): Promise<Answer> {
  try {
    const signal = AbortSignal.timeout(patienceMs);
    const { statusCode, body } = await request(url, { headers, signal, dispatcher: AGENT });
    return { status: statusCode, text: await body.text() };
  } catch {
    return { status: 0, text: '' };
  }
}
