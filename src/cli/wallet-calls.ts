import { randomBytes } from 'node:crypto';
import type { Call } from '../api/call.ts';
import { usdText } from '../pay/amount.ts';
import type { PaywallReply } from '../pay/types.ts';
import { reasonOf } from '../runtime/reason-of.ts';
import { wait } from '../runtime/timer.ts';
import { BuyError, type Requirement, readRequirement, signedPayment } from './buy.ts';

export interface WalletOptions {
  /** Address of the service. */
  readonly base: string;
  readonly key: () => Promise<`0x${string}`>;
  /** Most that one call may cost, atomic units. */
  readonly perCall: bigint;
  /** Most that all calls together may cost, atomic units. */
  readonly total: bigint;
}

/** How often one payment is presented while its outcome is not known. */
const ATTEMPTS = 6;
const LONGEST_WAIT_S = 10;
const TIMEOUT_MS = 60_000;
/** Codes after which the same payment is presented again, and never another one signed. */
const OPEN = new Set(['payment_in_flight', 'settlement_unknown']);

/** A Perpmeter's routes over HTTP, paid for within caps that calls at the same time share. */
export class WalletCalls {
  readonly #options: WalletOptions;
  /** Paid, promised, and what may have been paid. */
  #spent = 0n;

  constructor(options: WalletOptions) {
    this.#options = options;
  }

  /** Caps and what is spent, in USD. */
  budget() {
    const { perCall, total } = this.#options;
    return { per_call_usd: usdText(perCall), total_usd: usdText(total), spent_usd: usdText(this.#spent) };
  }

  /** Asks, and pays where that is asked for. What cannot be paid or reached is a problem document. Never rejects. */
  async call({ url }: Call): Promise<PaywallReply> {
    try {
      const address = new URL(url, this.#options.base);
      const first = await ask(address);
      if (first.status !== 402) return first;
      const requirement = readRequirement(first.headers['payment-required'] ?? null);
      return this.#reserve(requirement.amount) ?? (await this.#buy(address, requirement));
    } catch (error) {
      const code = error instanceof BuyError ? 'cannot_pay' : 'unreachable';
      return problem(code, `${reasonOf(error)}; nothing was paid`);
    }
  }

  /** Takes the amount from the budget at once, before anything is waited for; a problem where it is too much. */
  #reserve(amount: bigint): PaywallReply | undefined {
    const { perCall, total } = this.#options;
    const asked = `The price is ${usdText(amount)} USD`;
    if (amount > perCall) return problem('over_budget', `${asked}; the cap of a call is ${usdText(perCall)}`);
    const left = total - this.#spent;
    if (amount > left) return problem('over_budget', `${asked}; ${usdText(left)} are left of the budget`);
    this.#spent += amount;
    return undefined;
  }

  async #buy(address: URL, requirement: Requirement): Promise<PaywallReply> {
    let payment: string;
    try {
      payment = await signedPayment(requirement, await this.#options.key());
    } catch (error) {
      this.#spent -= requirement.amount;
      throw error;
    }
    const reply = await present(address, {
      'PAYMENT-SIGNATURE': payment,
      'Idempotency-Key': randomBytes(16).toString('hex'),
    });
    // What was neither sold nor refused for certain may still be settled: it stays spent.
    if (reply !== undefined && isRefusal(reply)) this.#spent -= requirement.amount;
    return reply ?? problem('unreachable', 'The outcome of a payment is not known; it counts as spent.');
  }
}

/** Presents one payment until its outcome is known; undefined where it does not become known. */
async function present(
  address: URL,
  headers: Readonly<Record<string, string>>,
): Promise<PaywallReply | undefined> {
  let reply: PaywallReply | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) {
      const seconds = Number(reply?.headers['retry-after'] ?? 1);
      await wait(Math.min(seconds > 0 ? seconds : 1, LONGEST_WAIT_S) * 1000);
    }
    reply = await ask(address, headers).catch(() => undefined);
    if (reply !== undefined && !isOpen(reply)) return reply;
  }
  return reply;
}

const codeOf = ({ body }: PaywallReply): string | undefined =>
  /"code":"([a-z_]+)"/.exec(body.toString('utf8'))?.[1];

const isOpen = (reply: PaywallReply): boolean => reply.status >= 400 && OPEN.has(codeOf(reply) ?? '');

/** Whether it is certain that nothing was charged: what other servers in between say is not. */
function isRefusal(reply: PaywallReply): boolean {
  const code = codeOf(reply);
  // A payment that is known as used was perhaps used by an attempt whose answer was lost.
  const isUsed = code === undefined || code === 'authorization_used' || OPEN.has(code);
  return reply.status >= 400 && reply.status < 500 && !isUsed;
}

async function ask(address: URL, headers: Readonly<Record<string, string>> = {}): Promise<PaywallReply> {
  const response = await fetch(address, {
    headers,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

function problem(code: 'over_budget' | 'cannot_pay' | 'unreachable', detail: string): PaywallReply {
  const body = Buffer.from(JSON.stringify({ code, title: 'No purchase', detail }));
  return { status: 503, headers: { 'content-type': 'application/problem+json' }, body };
}
