import type { Caps } from './budget.ts';
import { type Challenge, type Requirement, sameAddress } from './challenge.ts';
import type { ChannelOptions } from './channels/options.ts';
import type { Signer } from './payment.ts';
import type { Problem } from './result.ts';
import type { PaymentStore } from './store.ts';

/** The allowed receivers and terms of payments. */
export interface Allowed {
  /** CAIP-2; default Base alone. */
  readonly networks?: readonly string[] | undefined;
  /** Tokens with six decimals; default USDC on Base alone. */
  readonly assets?: readonly string[] | undefined;
  /** Default: the receivers that the catalog names. */
  readonly receivers?: readonly string[] | undefined;
}

export interface WalletOptions {
  readonly signer: Signer;
  readonly caps: Caps;
  readonly allow?: Allowed | undefined;
  /** Default: in memory. */
  readonly store?: PaymentStore | undefined;
  /** The number of times that one payment is presented in one call; default 6. */
  readonly attempts?: number | undefined;
  /** False pays what a 402 asks without holding it against the catalog. */
  readonly checkCatalog?: boolean | undefined;
  /**
   * True believes a seller who says that a payment was not taken: its amount comes back. By default what was signed
   * stays spent, and buys the next answer of the same price while it is valid.
   */
  readonly trustRefusals?: boolean | undefined;
  /**
   * Payments by channel where a seller offers them: a deposit opens a channel, and each call is paid by a voucher. By default
   * from the third call on at one seller where a `store` is given; false never opens one.
   */
  readonly channels?: ChannelOptions | false | undefined;
  /** Ms since 1970; default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

const BASE = 'eip155:8453';
const BASE_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

/** The term of a requirement that is not allowed; undefined where it may be paid. */
function refusalOf(
  { network, asset, payTo }: Requirement,
  { networks = [BASE], assets = [BASE_USDC], receivers }: Allowed,
): readonly ['network' | 'asset' | 'receiver', string] | undefined {
  const isIn = (list: readonly string[], item: string) => list.some((each) => sameAddress(each, item));
  if (!networks.includes(network)) return ['network', network];
  if (!isIn(assets, asset)) return ['asset', asset];
  return receivers === undefined || isIn(receivers, payTo) ? undefined : ['receiver', payTo];
}

/** The requirements of `exact` that may be paid, in the order of the challenge. */
export const payablesOf = ({ accepts }: Challenge, allow: Allowed = {}): readonly Requirement[] =>
  accepts.filter((accept) => refusalOf(accept, allow) === undefined);

/** The first requirement that may be paid, or why none may. */
export function payableOf(challenge: Challenge | undefined, allow: Allowed = {}): Requirement | Problem {
  const [first] = challenge?.accepts ?? [];
  if (challenge === undefined || first === undefined) {
    const detail = 'The 402 has no requirement of the scheme exact on an EVM network.';
    return { code: 'unreadable_challenge', charged: false, detail };
  }
  const [fit] = payablesOf(challenge, allow);
  if (fit !== undefined) return fit;
  const [term, value] = refusalOf(first, allow) ?? ['network', ''];
  return { code: 'not_allowed', charged: false, term, detail: `The ${term} ${value} is not allowed.` };
}
