import { callHeaders, dropBought, keepBought, readyFrom, type UnpaidCall } from '../data/answers.ts';
import { type Requirement, readChallenge } from '../data/challenge.ts';
import { atomicUsd } from '../text/number.ts';
import { requirementOf, signedPayment } from './authorize.ts';
import { remaining, spend } from './cap.ts';
import type { Wallet } from './wallets.ts';

/** What the service says of a settled payment. */
export interface Receipt {
  readonly success?: boolean;
  readonly transaction?: string;
  readonly network?: string;
  readonly payer?: string;
}

export type Outcome =
  | {
      readonly kind: 'bought';
      readonly receipt: Receipt | undefined;
      readonly body: unknown;
      readonly type: string;
    }
  | { readonly kind: 'refused'; readonly reason: string }
  /** It is not known whether money moved: the same payment may be presented again, and a new one must not be signed. */
  | { readonly kind: 'open'; readonly reason: string };

/** Payments that were signed and not yet answered, by their path. */
const open = new Map<string, string>();

export const isOpen = (path: string): boolean => open.has(path);

function receiptOf(response: Response): Receipt | undefined {
  const header = response.headers.get('payment-response');
  try {
    return header === null ? undefined : (JSON.parse(atob(header)) as Receipt);
  } catch {
    return undefined;
  }
}

/** The price that a refusal asks for, where it is another one than was paid. */
function newPrice(response: Response, payment: string): string | undefined {
  const { accepted } = JSON.parse(atob(payment)) as { readonly accepted: Requirement };
  const asked = requirementOf(readChallenge(response));
  return asked === undefined || asked.amount === accepted.amount
    ? undefined
    : atomicUsd(BigInt(asked.amount));
}

async function present(path: string, payment: string): Promise<Outcome> {
  let response: Response;
  try {
    response = await fetch(path, { headers: { ...callHeaders(), 'PAYMENT-SIGNATURE': payment } });
  } catch {
    return { kind: 'open', reason: 'The connection broke before the answer came.' };
  }
  const type = response.headers.get('content-type') ?? '';
  if (response.ok) {
    const body: unknown = type.includes('json') ? await response.json() : await response.text();
    open.delete(path);
    keepBought(path, readyFrom(response, body, true));
    return { kind: 'bought', receipt: receiptOf(response), body, type };
  }
  const problem = (await response.json().catch(() => ({}))) as {
    readonly detail?: string;
    readonly error?: string;
  };
  const dearer = response.status === 402 ? newPrice(response, payment) : undefined;
  if (dearer !== undefined) {
    open.delete(path);
    dropBought([path]);
    return { kind: 'refused', reason: `The price is ${dearer} now; nothing was taken.` };
  }
  const reason = problem.detail ?? problem.error ?? response.statusText;
  // Whatever may still settle is presented again and not signed again.
  if (response.status === 503 || response.status === 409) return { kind: 'open', reason };
  open.delete(path);
  return { kind: 'refused', reason };
}

/** Pays for one call and keeps its answer; within the cap, and only what the challenge asks. */
export async function purchase({ path, challenge }: UnpaidCall, wallet: Wallet): Promise<Outcome> {
  const signed = open.get(path);
  if (signed !== undefined) return present(path, signed);
  const requirement = requirementOf(challenge);
  if (challenge === undefined || requirement === undefined) {
    return { kind: 'refused', reason: 'What is asked for cannot be paid from here.' };
  }
  const amount = BigInt(requirement.amount);
  if (amount > remaining()) return { kind: 'refused', reason: 'It costs more than the cap leaves.' };
  try {
    const payment = await signedPayment(wallet.provider, challenge, requirement);
    spend(amount);
    open.set(path, payment);
    return await present(path, payment);
  } catch (cause) {
    // Wallets reject with values of their own: { code, message }.
    const said =
      typeof cause === 'object' && cause !== null && 'message' in cause
        ? String(cause.message)
        : 'not signed';
    return { kind: 'refused', reason: `The wallet: ${said}` };
  }
}
