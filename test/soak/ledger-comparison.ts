import { asMs } from '../../src/domain/units.ts';
import { compareWithChain } from '../../src/modules/ledger-check/chain-comparison.ts';
import type { Ledger } from '../../src/pay/ledger.ts';
import { type LedgerLocation, openLedgerAt } from '../../src/pay/open-ledger.ts';
import { createPaywall } from '../../src/pay/paywall.ts';
import type { Reconciler } from '../../src/pay/reconciler.ts';
import { isPaid, type PaymentRecord } from '../../src/pay/record.ts';
import { readQuantity } from '../../src/pay/rpc.ts';
import type { SandboxChain } from '../../src/pay/sandbox/chain.ts';
import { createRpcVerifier } from '../../src/pay/schemes/exact/proof.ts';
import type { Seller } from '../../src/pay/seller.ts';
import { HOUR_MS } from '../../src/runtime/duration.ts';
import { exactWith, TRUSTING } from '../pay/exact.ts';
import { fakeFacilitator } from '../pay/fakes.ts';
import { problemReply } from '../pay/paid-server.ts';
import { paidRoutes, shippedPrices } from '../pay/routes.ts';
import type { PurchaseKind, Sale } from './pay-buyer.ts';

export interface LedgerComparison {
  readonly problems: readonly string[];
  readonly transfers: number;
  readonly chainTotal: bigint;
  readonly ledgerTotal: bigint;
  /** Payments that the ledger says are paid. */
  readonly paidNonces: ReadonlySet<string>;
  /** Of these, payments whose answer the ledger says has arrived. */
  readonly deliveredNonces: ReadonlySet<string>;
  /** Payments without a known end. */
  readonly open: readonly PaymentRecord[];
  /** Payments in the ledger by state and, where they were not paid, reason. */
  readonly fates: ReadonlyMap<string, number>;
}

const AT_ONCE = 50;
/** More than one where a node on a busy machine did not answer in time. */
const ROUNDS = 3;

/** Closes what is open an hour later, by the chain alone, and compares: to the atomic unit. */
export async function reconcile(
  chain: SandboxChain,
  place: LedgerLocation,
  seller: Seller,
): Promise<LedgerComparison> {
  await chain.rpc('evm_increaseTime', [HOUR_MS / 1000]);
  await chain.rpc('evm_mine', []);
  const clock = { now: () => asMs(Date.now() + HOUR_MS) };
  const ledger = await openLedgerAt(place, clock);
  try {
    const prices = shippedPrices();
    const routes = paidRoutes();
    const facilitators = [fakeFacilitator()] as const;
    const proof = createRpcVerifier(chain.rpc);
    const exact = exactWith(TRUSTING, { seller, routes, clock, facilitators, proof });
    const paywall = createPaywall({
      seller,
      prices,
      routes,
      ledger,
      clock,
      schemes: [exact],
      renderProblem: problemReply,
    });
    if (!paywall.ok) throw new Error(paywall.errors.join('\n'));
    await closeAll(ledger, paywall.value.reconciler);
    const books = await compared(chain, ledger, seller);
    const left = books.open.map(({ nonce, state }) => `${nonce}: still ${state}`);
    return { ...books, problems: [...books.problems, ...left] };
  } finally {
    await ledger.close();
  }
}

/** All that is not decided; stored answers, most of the ledger, are left as they are. */
async function closeAll(ledger: Ledger, reconciler: Reconciler): Promise<void> {
  for (let round = 1; round <= ROUNDS; round++) {
    const left = (await allRecords(ledger)).filter((record) => isOpen(record) || isWatched(record));
    if (left.length === 0) return;
    for (let i = 0; i < left.length; i += AT_ONCE) {
      await Promise.all(left.slice(i, i + AT_ONCE).map((record) => reconciler.look(record)));
    }
  }
}

/** The same comparison without closing anything first. */
export async function compared(
  chain: SandboxChain,
  ledger: Ledger,
  { asset, payTo }: Seller,
): Promise<LedgerComparison> {
  const records = await allRecords(ledger);
  const toBlock = Number(readQuantity(await chain.rpc('eth_blockNumber', [])) ?? 0n);
  const result = await compareWithChain(chain.rpc, { asset, payTo, fromBlock: 0, toBlock }, records);
  const balance = await chain.balanceOf(payTo);
  const { transfers, chainTotal, ledgerTotal, differences } = result;
  return {
    transfers,
    chainTotal,
    ledgerTotal,
    paidNonces: new Set(records.filter(isPaid).map(({ nonce }) => nonce)),
    deliveredNonces: new Set(records.filter(({ state }) => state === 'delivered').map(({ nonce }) => nonce)),
    problems: [
      ...differences.map(
        ({ kind, nonce, state }) => `${nonce}: ${kind}, in the ledger ${state ?? 'nothing'}`,
      ),
      ...(balance === ledgerTotal ? [] : [`the payee holds ${balance}, the ledger says ${ledgerTotal}`]),
    ],
    open: records.filter(isOpen),
    fates: countBy(records, ({ state, reason }) => (reason === undefined ? state : `${state}: ${reason}`)),
  };
}

/** The number of items of each name. */
export function countBy<Item, Name>(
  items: Iterable<Item>,
  nameOf: (item: Item) => Name,
): ReadonlyMap<Name, number> {
  const counts = new Map<Name, number>();
  for (const item of items) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1);
  return counts;
}

async function allRecords(ledger: Ledger): Promise<readonly PaymentRecord[]> {
  return ledger.list({ limit: Number.MAX_SAFE_INTEGER });
}

const isWatched = ({ state, dueAt }: PaymentRecord): boolean => state === 'refused' && dueAt !== undefined;
const isOpen = ({ state, closedAt }: PaymentRecord): boolean =>
  state === 'claimed' || state === 'settling' || (state === 'unknown' && closedAt === undefined);

const WORTHLESS: readonly PurchaseKind[] = ['other_route', 'forged', 'short', 'stale', 'wrong_payee'];

/** Faults of the buyers' answers. */
export function saleFaults(sales: readonly Sale[], paid: ReadonlySet<string>): readonly string[] {
  return sales.flatMap(({ kind, nonces, withId, answers }) => {
    const [nonce] = nonces;
    const taken = nonces.filter((each) => paid.has(each)).length;
    const good = answers.filter(({ status }) => status === 200);
    const strange = answers.filter(({ status }) => ![0, 200, 400, 402, 409, 429, 503].includes(status));
    return [
      ...(taken > 1 ? [`${nonce}: charged ${taken} times under one identifier`] : []),
      ...(good.length > 0 && taken === 0 ? [`${nonce}: served unpaid (${kind})`] : []),
      ...(good.length > 1 && !withId ? [`${nonce}: served ${good.length} times (${kind})`] : []),
      ...(new Set(good.map(({ text }) => text)).size > 1 ? [`${nonce}: two products (${kind})`] : []),
      ...(WORTHLESS.includes(kind) && taken > 0 ? [`${nonce}: settled although ${kind}`] : []),
      ...strange.map(({ status, text }) => `${nonce}: ${status} ${text.slice(0, 120)}`),
    ];
  });
}
