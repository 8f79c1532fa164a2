import {
  atomicOf,
  type ChannelStatus,
  type ClosedChannel,
  createClient,
  type Eip1193Provider,
  eip1193Signer,
  type FoundChannels,
  type Problem,
  type Requirement,
  type Signer,
  usdOf,
} from '../../packages/client/src/index.ts';
import type { Answer, Ready, UnpaidCall } from '../data/answer.ts';
import { callHeaders, dropBought, isBought, keepBought, markKept, readyFrom } from '../data/answers.ts';
import { failedPart, partsOf } from '../data/bundle.ts';
import { bodyOf } from '../data/file-answer.ts';
import { atomicUsd } from '../text/number.ts';
import { serverNow } from '../text/time.ts';
import { tabCaps, tabStore } from './cap.ts';
import { channelKey } from './channel-keys.ts';
import { KEPT_MS, type KeptPurchase, keepPurchase, keptPurchases } from './purchase-store.ts';
import type { Wallet } from './wallets.ts';

type Outcome =
  | { readonly kind: 'bought' }
  /** `isAlone`: for a reason of this call, which says nothing of others. */
  | { readonly kind: 'refused'; readonly reason: string; readonly isAlone?: boolean }
  /** It is not known whether money moved: the same payment may be presented again, and a new one must not be signed. */
  | { readonly kind: 'open'; readonly reason: string };

/** The terms that the visitor saw, and the wallet that was chosen. */
let shown: Requirement | undefined;
let signer: Signer | undefined;
let provider: Eip1193Provider | undefined;

function chosen(): Signer {
  if (signer === undefined) throw new Error('no wallet is chosen');
  return signer;
}

function chosenProvider(): Eip1193Provider {
  if (provider === undefined) throw new Error('no wallet is chosen');
  return provider;
}

function choose(wallet: Wallet): void {
  provider = wallet.provider;
  signer = eip1193Signer(wallet.provider);
}

/** Pays the terms that the visitor saw, and no others; the visitor decides on another try. */
const client = createClient({
  baseUrl: location.origin,
  headers: callHeaders,
  // A browser's cache lets one of two equal requests wait for the other, and a payment may be long on its way.
  fetch: (url, init) => fetch(url, { ...init, cache: 'no-store' }),
  wallet: {
    caps: tabCaps,
    store: tabStore,
    attempts: 1,
    // The visitor says which calls a channel pays; the wallet that was chosen reads from the chain what the browser has lost.
    channels: {
      fromCall: 1,
      chain: { request: (call) => chosenProvider().request(call) },
      // The wallet signs the deposit, once; a key of this browser signs what is bought of it, until the browser's data is cleared.
      voucherKey: channelKey,
    },
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

/** Called after each change of a channel. */
const watchers = new Set<() => void>();

/** Calls back after each change of a channel. @returns stops that */
export function onChannels(changed: () => void): () => void {
  watchers.add(changed);
  return () => watchers.delete(changed);
}

/** The channels of this browser at this service. Rejects where they cannot be read. */
export async function channels(): Promise<readonly ChannelStatus[]> {
  const all = await client.channels();
  return all.filter((channel) => channel.origin === location.origin);
}

/** Has a channel refunded, or says how the wallet withdraws it. Rejects where it cannot be read or noted. */
export async function closeChannel(id: string, wallet: Wallet): Promise<ClosedChannel | undefined> {
  choose(wallet);
  const closed = await client.closeChannel(id);
  for (const changed of watchers) changed();
  return closed;
}

/** Looks on the chain for channels of a wallet that this browser has lost. Rejects where service or wallet do not answer. */
export async function findChannels(wallet: Wallet): Promise<FoundChannels | undefined> {
  choose(wallet);
  const found = await client.findChannels();
  for (const changed of watchers) changed();
  return found;
}

export const isOpen = (path: string): boolean => client.isOpen(path);

/** Codes of calls that have no answer, now or at all. */
const UNANSWERED: ReadonlySet<Problem['code']> = new Set([
  'not_ready',
  'no_data',
  'not_listed',
  'single_venue',
]);

function trouble(path: string, price: bigint, problem: Problem): Outcome {
  if (isOpen(path)) return { kind: 'open', reason: problem.detail };
  const { code } = problem;
  // The shown terms are out of date: they are asked for again.
  if (code === 'over_budget' || code === 'not_allowed' || code === 'not_as_listed') dropBought([path]);
  const asked = code === 'over_budget' ? atomicOf(problem.priceUsd) : 0n;
  if (asked > price) {
    return { kind: 'refused', reason: `The price is ${atomicUsd(asked)} now; nothing was taken.` };
  }
  // Its word, and not ours for it.
  const reason = problem.detail.replace(/^Not signed:/, 'The wallet:');
  return { kind: 'refused', reason, isAlone: UNANSWERED.has(code) };
}

/** Called with each answer that was bought. */
const buyers = new Set<(kept: KeptPurchase) => void>();

/** Calls back with each answer that is bought from now on, wherever on the page. @returns stops that */
export function onBought(heard: (kept: KeptPurchase) => void): () => void {
  buyers.add(heard);
  return () => buyers.delete(heard);
}

/** The ways in which a purchase is paid. */
export interface PayFrom {
  readonly wallet: Wallet;
  readonly isByChannel: boolean;
}

async function buy({ path, challenge }: UnpaidCall, { wallet, isByChannel }: PayFrom): Promise<Outcome> {
  // Its turn has come after a bundle that brought it, or after an earlier purchase of it.
  if (isBought(path)) return { kind: 'bought' };
  [shown] = challenge?.accepts ?? [];
  if (shown === undefined) return { kind: 'refused', reason: 'What is asked for cannot be paid from here.' };
  choose(wallet);
  const price = BigInt(shown.amount);
  const scheme = isByChannel ? undefined : 'exact';
  const result = await client.request(path, { maxUsd: usdOf(price), scheme });
  for (const changed of watchers) changed();
  if (!result.ok) return trouble(path, price, result.problem);
  const { reply, receipt } = result;
  const at = serverNow();
  const { headers, body: bytes } = reply;
  const times = { at, expiresAt: at + KEPT_MS, dropAt: Date.now() + KEPT_MS };
  const kept = { path, ...times, amount: shown.amount, receipt, headers: [...headers], bytes };
  // An answer that the browser does not keep is there until the page is closed.
  await keepPurchase(kept).then(markKept, () => {});
  show(kept);
  for (const heard of buyers) heard(kept);
  return { kind: 'bought' };
}

/** Shows a purchase in the place of its call, and the parts of a bundle in those of theirs. */
function show(kept: KeptPurchase, isShown: (path: string) => boolean = () => true): void {
  keepBought(answersIn(kept).filter(([path]) => isShown(path)));
}

/** The answers of a purchase by path: of a bundle that of the whole and of each part, which end together. */
function answersIn(kept: KeptPurchase): readonly (readonly [path: string, answer: Answer<unknown>])[] {
  const { path, at, expiresAt, receipt } = kept;
  const headers = new Headers([...kept.headers].map(([name, value]): [string, string] => [name, value]));
  const body = bodyOf(path, headers, kept.bytes);
  const parts = partsOf(path, body);
  const paths = [path, ...parts.map((part) => part.path)];
  const purchase = { paths, expiresAt, receipts: new Map([[path, receipt]]) };
  const whole: Ready<unknown> = { ...readyFrom({ headers }, body, true), at, purchase };
  const shownOf = (part: (typeof parts)[number]): Answer<unknown> =>
    part.answer === null ? failedPart(part) : { ...whole, body: part.answer, asOf: part.as_of };
  return [[path, whole], ...parts.map((part) => [part.path, shownOf(part)] as const)];
}

/** Shows what was bought before the page was loaded again, as long as it has not expired. */
export async function restorePurchases(): Promise<void> {
  for (const kept of await keptPurchases(Date.now())) {
    // A later purchase stays in the place of the same part of a bundle.
    if (!isBought(kept.path)) show(kept, (path) => !isBought(path));
  }
}

/**
 * Pays one call after another. One that has no answer keeps back none of the others; any other trouble ends the purchase.
 * Returns the message of the first that was not answered.
 */
async function buyAll(calls: readonly UnpaidCall[], from: PayFrom): Promise<string | undefined> {
  let said: string | undefined;
  for (const call of calls) {
    const outcome = await buy(call, from);
    if (outcome.kind === 'bought') continue;
    said ??= `${outcome.kind === 'refused' ? 'Not bought' : 'Not answered yet'}. ${outcome.reason}`;
    if (outcome.kind === 'open' || outcome.isAlone !== true) return said;
  }
  return said;
}

/** Resolves with what is to be said of it; undefined where all was answered. */
type Purchase = Promise<string | undefined>;

/** By path, and here: the view that began a purchase may be left, and opened again before it has ended. */
const underway = new Map<string, Purchase>();

/** The purchase that has some of these calls in it. */
export const purchaseOf = (calls: readonly UnpaidCall[]): Purchase | undefined =>
  calls.map(({ path }) => underway.get(path)).find((call) => call !== undefined);

/** Messages of purchases that have not brought a call, by its path: a part of the page that shows it may come after the end. */
const messages = new Map<string, string>();

/** The message of the last purchase of some of these calls, where it has not brought them. */
export const messageOf = (calls: readonly UnpaidCall[]): string | undefined =>
  calls.map(({ path }) => messages.get(path)).find((message) => message !== undefined);

/** Called when a purchase begins, and when it has ended. */
const listeners = new Set<() => void>();

/** Calls back when a purchase begins or has ended, wherever on the page. @returns stops that */
export function onPurchases(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

function tellPurchases(): void {
  for (const changed of listeners) changed();
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Pays for calls and keeps their answers, one after another; within the cap, and only what was shown. While some of
 * them are being paid for, that is what goes on.
 * @param covered calls whose answers come with those of `calls`, as of a bundle: they are under way, too
 */
export function purchase(
  calls: readonly UnpaidCall[],
  from: PayFrom,
  covered: readonly UnpaidCall[] = [],
): Purchase {
  const all = [...calls, ...covered];
  const before = purchaseOf(all);
  if (before !== undefined) return before;
  const made = last
    .then(() => buyAll(calls, from))
    .catch((cause) => `Not answered. ${String(cause)}`)
    .then((message) => {
      for (const { path } of all) {
        underway.delete(path);
        if (message !== undefined) messages.set(path, message);
      }
      tellPurchases();
      return message;
    });
  for (const { path } of all) {
    underway.set(path, made);
    messages.delete(path);
  }
  last = made;
  tellPurchases();
  return made;
}
