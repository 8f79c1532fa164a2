import { type RecordsLocation, refuse, timeOf, withRecords } from '../../host/ledger-records.ts';
import { tableText } from '../../host/process/table-text.ts';
import { usdText } from '../../pay/amount.ts';
import { lastBlockBy, latestBlock } from '../../pay/blocks.ts';
import { offeredOrder, valueFor } from '../../pay/config-networks.ts';
import { NETWORKS } from '../../pay/networks.ts';
import type { PaymentRecord } from '../../pay/record.ts';
import { createRpc, type Rpc } from '../../pay/rpc.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import { type ChainComparison, compareWithChain, type LedgerDifference } from './chain-comparison.ts';

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
  return withRecords(place, {}, async (all) => {
    const records: PaymentRecord[] = [];
    for await (const record of all) records.push(record);
    let worst = 0;
    for (const node of nodes) {
      // A node of one network knows nothing of the payments on another.
      const own = nodes.length === 1 ? records : records.filter(({ network }) => network === node.network);
      worst = Math.max(worst, await reconcileWith(node, own, since, options.json === true));
    }
    return worst;
  });
}

/** Compares the payments of one network with its chain: the exit code for them. */
async function reconcileWith(
  node: Node,
  records: readonly PaymentRecord[],
  since: number | undefined,
  json: boolean,
): Promise<number> {
  const accounts = receivingAccounts(records, node);
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
    const isEqual = await compareAccounts(rpc, accounts, records, Math.min(first, since ?? first), json);
    if (isEqual === undefined) return refuse('the node does not show its blocks');
    return isEqual ? 0 : 1;
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

/**
 * Compares each account and says what differs. Rejects where the node does not answer.
 *
 * @param since Unix milliseconds
 * @returns whether all is equal; undefined where the node does not show its blocks
 */
async function compareAccounts(
  rpc: Rpc,
  accounts: readonly ReceivingAccount[],
  records: readonly PaymentRecord[],
  since: number,
  json: boolean,
): Promise<boolean | undefined> {
  const range = await blocksSince(rpc, since);
  if (range === undefined) return undefined;
  let differences = 0;
  for (const { asset, payTo } of accounts) {
    const own = records.filter((record) => isOf(record, asset, payTo));
    const result = await compareWithChain(rpc, { asset, payTo, ...range }, own);
    say(result, `${payTo} in ${asset}, blocks ${range.fromBlock} to ${range.toBlock}`, json);
    differences += result.differences.length;
  }
  return differences === 0;
}

interface ReceivingAccount {
  readonly asset: string;
  readonly payTo: string;
}

/** Every token and receiver that payments were made to; those of the settings where the ledger has none. */
function receivingAccounts(
  records: readonly PaymentRecord[],
  { payTo, network, asset = NETWORKS[network]?.asset }: Node,
): readonly ReceivingAccount[] {
  const found = new Map<string, ReceivingAccount>();
  for (const record of records) {
    found.set(`${record.asset}/${record.payTo}`.toLowerCase(), { asset: record.asset, payTo: record.payTo });
  }
  if (found.size === 0 && asset !== undefined && payTo !== undefined) return [{ asset, payTo }];
  return [...found.values()];
}

function isOf(record: PaymentRecord, asset: string, payTo: string): boolean {
  return (
    record.asset.toLowerCase() === asset.toLowerCase() && record.payTo.toLowerCase() === payTo.toLowerCase()
  );
}

/** @param since Unix milliseconds */
async function blocksSince(
  rpc: Rpc,
  since: number,
): Promise<{ fromBlock: number; toBlock: number } | undefined> {
  const latest = await latestBlock(rpc);
  if (latest === undefined) return undefined;
  const before = await lastBlockBy(rpc, Math.floor(since / 1000) - EARLIER_SECONDS, latest);
  const oldest = before?.number ?? 0;
  return { fromBlock: oldest, toBlock: latest.number };
}

const HEADER = ['difference', 'payer', 'nonce', 'transaction', 'state', 'ledger', 'chain'] as const;

function say(result: ChainComparison, till: string, json: boolean): void {
  const { differences, transfers, settled, chainTotal, ledgerTotal } = result;
  const rows = differences.map(rowOf);
  if (json) for (const row of rows) process.stdout.write(`${JSON.stringify(row)}\n`);
  else if (rows.length > 0) {
    process.stdout.write(
      tableText(
        HEADER,
        rows.map((row) => HEADER.map((name) => row[name] ?? '')),
      ),
    );
  }
  process.stderr.write(
    `${till}: ${settled} payments of ${usdText(ledgerTotal)} USD in the ledger, ${transfers} transfers of ${usdText(chainTotal)} USD on the chain, ${differences.length} differences\n`,
  );
}

function rowOf(difference: LedgerDifference): Record<(typeof HEADER)[number], string | null> {
  const { kind, payer, nonce, transaction, state, ledgerAmount, chainAmount } = difference;
  return {
    difference: kind,
    payer,
    nonce: nonce ?? null,
    transaction: transaction ?? null,
    state: state ?? null,
    ledger: ledgerAmount?.toString() ?? null,
    chain: chainAmount?.toString() ?? null,
  };
}
