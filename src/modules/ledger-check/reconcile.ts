import { type RecordsLocation, refuse, timeOf, withLedger } from '../../host/ledger-records.ts';
import { usdText } from '../../pay/amount.ts';
import { lastBlockBy, latestBlock } from '../../pay/blocks.ts';
import { offeredOrder, valueFor } from '../../pay/config-networks.ts';
import type { Ledger } from '../../pay/ledger.ts';
import { NETWORKS } from '../../pay/networks.ts';
import { newestFirst } from '../../pay/newest-first.ts';
import type { PaymentRecord } from '../../pay/record.ts';
import { createRpc, type Rpc } from '../../pay/rpc.ts';
import type { StoredChannel } from '../../pay/schemes/batch-settlement/channels.ts';
import { EXACT_FORMAT } from '../../pay/schemes/exact/format.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import { compareWithChain } from './chain-comparison.ts';
import type { BlockRange } from './chain-logs.ts';
import { sayDifferences } from './differences-text.ts';
import { comparedText, isPaymentTo, type ReceivingAccount, receivingAccounts } from './receiving-accounts.ts';
import { type ComparedAccounts, channelsOn, reconcileChannels } from './reconcile-channels.ts';

export interface ReconcileOptions {
  readonly json?: boolean;
  /** From when on the chain is read, where the ledger begins later or has no payment. */
  readonly since?: string;
}

/** Where the money goes, and where the chain is asked. */
export interface ReconcileSettings {
  readonly rpcUrl: string | undefined;
  readonly payTo: string | undefined;
  /** The token; without it the USDC of the network. */
  readonly asset: string | undefined;
  /** CAIP-2 names between commas. */
  readonly network: string;
}

/** A chain time before the claim may already lie in a block. */
const EARLIER_SECONDS = 60;

/**
 * Compares the ledger with the chain's transfers to the seller, for every token and receiver that the ledger names, and
 * reports every difference. Where there is nothing to compare, it says what is needed: that is no equality.
 * @returns exit code: 0 where both are equal, 1 where they differ, 2 when options, folder or node are wrong
 */
export async function ledgerReconcile(
  place: RecordsLocation,
  settings: ReconcileSettings,
  options: ReconcileOptions,
): Promise<number> {
  const nodes = nodesOf(settings);
  if (nodes.length === 0) return refuse('--rpc-url (RPC_URL) is needed: the node that shows the transfers');
  const since = timeOf(options.since);
  if (Number.isNaN(since)) return refuse('--since must be a time as 2026-11-21 or 2026-11-21T10:00:00Z');
  return withLedger(place, async (ledger) => {
    const records: PaymentRecord[] = [];
    for await (const record of newestFirst(ledger)) records.push(record);
    const isOnOne = nodes.length === 1 && new Set(records.map(({ network }) => network)).size <= 1;
    // Nothing may have been paid on some of several networks: they are read as far back as the ledger goes.
    const from = since ?? (isOnOne ? undefined : records.at(-1)?.claimedAt);
    let worst = 0;
    for (const node of nodes) {
      // A node of one network knows nothing of the payments on another.
      const own = isOnOne ? records : records.filter(({ network }) => network === node.network);
      const asked = { node, since: from, json: options.json === true };
      worst = Math.max(worst, await reconcileWith(asked, ledger, own));
    }
    return worst;
  });
}

interface Asked {
  readonly node: Node;
  /** Unix milliseconds. */
  readonly since: number | undefined;
  readonly json: boolean;
}

/** Compares the payments of one network with its chain: the exit code for them. */
async function reconcileWith(
  { node, since, json }: Asked,
  ledger: Ledger,
  records: readonly PaymentRecord[],
): Promise<number> {
  const { network } = node;
  const accounts = accountsOf(records, await channelsOn(ledger, network), node);
  if (accounts.length === 0) {
    return refuse(
      'the ledger has no payment that names who is paid: --pay-to (PAY_TO_ADDRESS) is needed, and --asset (ASSET_CONTRACT_ADDRESS) on a network without a known USDC',
    );
  }
  const first = records.at(-1)?.claimedAt ?? since;
  if (first === undefined) {
    return refuse('the ledger has no payment to begin at: --since is needed, when the first may have come');
  }
  try {
    const rpc = createRpc(node.rpcUrl, 20_000);
    const range = await blocksSince(rpc, Math.min(first, since ?? first));
    if (range === undefined) return refuse('the node does not show its blocks');
    const compared = { rpc, network, accounts, range, json };
    const transfers = await reconcileTransfers(compared, records);
    return transfers + (await reconcileChannels(compared, ledger)) === 0 ? 0 : 1;
  } catch (cause) {
    return refuse(`the chain could not be read: ${reasonOf(cause)}`);
  }
}

/** A node of a network, and who is paid there in which token. */
interface Node extends Pick<ReconcileSettings, 'payTo' | 'asset' | 'network'> {
  readonly rpcUrl: string;
}

/** The nodes of all networks that have one. */
function nodesOf({ rpcUrl, payTo, asset, network: names }: ReconcileSettings): readonly Node[] {
  return offeredOrder(names.split(',').map((name) => name.trim())).flatMap((network, i) => {
    const node = valueFor(rpcUrl, network, i === 0);
    if (node === undefined) return [];
    const paid = { payTo: valueFor(payTo, network, true), asset: valueFor(asset, network, i === 0) };
    return [{ network, rpcUrl: node, ...paid }];
  });
}

/** Compares the transfers to each account and says what differs; how much. Rejects where the node does not answer. */
async function reconcileTransfers(
  { rpc, accounts, range, json }: ComparedAccounts,
  records: readonly PaymentRecord[],
): Promise<number> {
  const transferred = records.filter(({ scheme }) => scheme === EXACT_FORMAT.name);
  let found = 0;
  for (const account of accounts) {
    const own = transferred.filter((record) => isPaymentTo(record, account));
    const result = await compareWithChain(rpc, { ...account, ...range }, own);
    const { differences, transfers, settled, chainTotal, ledgerTotal } = result;
    const text = `${settled} payments of ${usdText(ledgerTotal)} USD in the ledger, ${transfers} transfers of ${usdText(chainTotal)} USD on the chain`;
    sayDifferences(differences, `${comparedText(account, range)}: ${text}`, json);
    found += differences.length;
  }
  return found;
}

/** The accounts of the ledger; that of the settings where it has none. */
function accountsOf(
  records: readonly PaymentRecord[],
  channels: readonly StoredChannel[],
  { payTo, network, asset = NETWORKS[network]?.asset }: Node,
): readonly ReceivingAccount[] {
  const found = receivingAccounts(records, channels);
  return found.length === 0 && asset !== undefined && payTo !== undefined ? [{ asset, payTo }] : found;
}

/** @param since Unix milliseconds */
async function blocksSince(rpc: Rpc, since: number): Promise<BlockRange | undefined> {
  const latest = await latestBlock(rpc);
  if (latest === undefined) return undefined;
  const before = await lastBlockBy(rpc, Math.floor(since / 1000) - EARLIER_SECONDS, latest);
  const oldest = before?.number ?? 0;
  return { fromBlock: oldest, toBlock: latest.number };
}
