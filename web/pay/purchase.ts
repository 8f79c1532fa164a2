import {
  atomicOf,
  createClient,
  eip1193Signer,
  type Problem,
  type Receipt,
  type Requirement,
  type Signer,
  usdOf,
} from '../../packages/client/src/index.ts';
import { callHeaders, dropBought, keepBought, readyFrom, type UnpaidCall } from '../data/answers.ts';
import { atomicUsd } from '../text/number.ts';
import { tabCaps, tabStore } from './cap.ts';
import type { Wallet } from './wallets.ts';

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

/** What is being bought: the terms that the visitor was shown, and the wallet that was chosen. */
let shown: Requirement | undefined;
let signer: Signer | undefined;

function chosen(): Signer {
  if (signer === undefined) throw new Error('no wallet is chosen');
  return signer;
}

/** Pays what the visitor was shown, and nothing else; whoever looks on decides on another try. */
const client = createClient({
  baseUrl: location.origin,
  headers: callHeaders,
  wallet: {
    ...{ caps: tabCaps, store: tabStore, attempts: 1 },
    signer: {
      address: async (chainId) => {
        const { address } = chosen();
        return typeof address === 'string' ? address : address(chainId);
      },
      signTypedData: (data) => chosen().signTypedData(data),
    },
    allow: {
      get networks() {
        return shown === undefined ? [] : [shown.network];
      },
      get assets() {
        return shown === undefined ? [] : [shown.asset];
      },
      get receivers() {
        return shown === undefined ? [] : [shown.payTo];
      },
    },
  },
});

export const isOpen = (path: string): boolean => client.isOpen(path);

function trouble(path: string, price: bigint, problem: Problem): Outcome {
  if (isOpen(path)) return { kind: 'open', reason: problem.detail };
  const { code } = problem;
  // What was shown is out of date: it is asked for again.
  if (code === 'over_budget' || code === 'not_allowed' || code === 'not_as_listed') dropBought([path]);
  const asked = code === 'over_budget' ? atomicOf(problem.priceUsd) : 0n;
  if (asked > price) {
    return { kind: 'refused', reason: `The price is ${atomicUsd(asked)} now; nothing was taken.` };
  }
  // Its word, and not ours for it.
  return { kind: 'refused', reason: problem.detail.replace(/^Not signed:/, 'The wallet:') };
}

async function buy({ path, challenge }: UnpaidCall, { provider }: Wallet): Promise<Outcome> {
  [shown] = challenge?.accepts ?? [];
  if (shown === undefined) return { kind: 'refused', reason: 'What is asked for cannot be paid from here.' };
  signer = eip1193Signer(provider);
  const price = BigInt(shown.amount);
  const result = await client.request(path, { maxUsd: usdOf(price) });
  if (!result.ok) return trouble(path, price, result.problem);
  const { reply, receipt } = result;
  const type = reply.headers.get('content-type') ?? '';
  const text = new TextDecoder().decode(reply.body);
  const body: unknown = type.includes('json') ? JSON.parse(text) : text;
  keepBought(path, readyFrom(reply, body, true));
  return { kind: 'bought', receipt, body, type };
}

let last: Promise<unknown> = Promise.resolve();

/** Pays for one call and keeps its answer, one after another; within the cap, and only what was shown. */
export function purchase(call: UnpaidCall, wallet: Wallet): Promise<Outcome> {
  const outcome = last.then(() => buy(call, wallet));
  last = outcome.catch(() => undefined);
  return outcome;
}
