import type { UnixMs } from '../../domain/units.ts';
import { sameAddress } from '../../pay/address.ts';
import { isPaid, type PaymentRecord } from '../../pay/record.ts';
import type { Rpc } from '../../pay/rpc.ts';
import type { DifferenceKind } from '../../pay/scheme.ts';
import { SETTLEMENT_CONTRACT } from '../../pay/schemes/batch-settlement/contract.ts';
import { type ChainTransfer, readTransfers, type TransferQuery, usedNonces } from './chain-transfers.ts';

export interface LedgerDifference {
  readonly kind: DifferenceKind;
  readonly transaction: string | undefined;
  readonly payer: string;
  readonly nonce: string | undefined;
  /** Atomic units; undefined where that side has nothing. */
  readonly ledgerAmount: bigint | undefined;
  readonly chainAmount: bigint | undefined;
  readonly state: PaymentRecord['state'] | undefined;
  /** Of the transfer; undefined without one. */
  readonly block: number | undefined;
  /** When the ledger took it for settled. */
  readonly settledAt: UnixMs | undefined;
}

export interface ChainComparison {
  readonly transfers: number;
  readonly chainTotal: bigint;
  readonly settled: number;
  readonly ledgerTotal: bigint;
  readonly differences: readonly LedgerDifference[];
}

/**
 * Checks the payments of one token and seller against the chain's own transfers, to the atomic unit: each settled payment
 * against one transfer of its transaction, payer and amount, and what is left over by the nonces that the transactions
 * used. Rejects where the node does not answer.
 *
 * @param records all payments that may have been settled within the blocks of the query
 */
export async function compareWithChain(
  rpc: Rpc,
  query: TransferQuery,
  records: Iterable<PaymentRecord>,
): Promise<ChainComparison> {
  const transfers = (await readTransfers(rpc, query)).filter(isOfPayer);
  const byNonce = new Map<string, PaymentRecord>();
  const paid: PaymentRecord[] = [];
  for (const record of records) {
    byNonce.set(nonceKey(record.payer, record.nonce), record);
    if (isPaid(record)) paid.push(record);
  }
  const { matched, left } = matchTransfers(transfers, paid);
  const differences = await explainTransfers(rpc, query.asset, left, byNonce, matched);
  const missing = paid.filter((record) => !matched.has(record)).map(missingTransfer);
  return {
    transfers: transfers.length,
    chainTotal: transfers.reduce((sum, { amount }) => sum + amount, 0n),
    settled: paid.length,
    ledgerTotal: paid.reduce((sum, { amount }) => sum + BigInt(amount), 0n),
    differences: [...differences, ...missing],
  };
}

/** The channel contract pays out what it has claimed of many payers: its channels are compared on their own. */
const isOfPayer = ({ payer }: ChainTransfer): boolean => !sameAddress(payer, SETTLEMENT_CONTRACT);

const nonceKey = (payer: string, nonce: string): string => `${payer}/${nonce}`.toLowerCase();

interface Matching {
  readonly matched: Set<PaymentRecord>;
  /** Transfers that no settled payment accounts for. */
  readonly left: readonly ChainTransfer[];
}

/** One transaction may settle several payments, also of one payer and price: each transfer stands for one of them. */
function matchTransfers(transfers: readonly ChainTransfer[], paid: readonly PaymentRecord[]): Matching {
  const keyOf = (transaction: string | undefined, payer: string, amount: bigint | string): string =>
    `${transaction}/${payer}/${amount}`.toLowerCase();
  const open = new Map<string, PaymentRecord[]>();
  for (const record of paid) {
    const key = keyOf(record.transaction, record.payer, record.amount);
    const same = open.get(key);
    if (same === undefined) open.set(key, [record]);
    else same.push(record);
  }
  const matched = new Set<PaymentRecord>();
  const left = transfers.filter(({ transaction, payer, amount }) => {
    const record = open.get(keyOf(transaction, payer, amount))?.pop();
    if (record !== undefined) matched.add(record);
    return record === undefined;
  });
  return { matched, left };
}

/** Finds the payments of transfers by their nonces: the one whose use stands last before the transfer is its own. */
async function explainTransfers(
  rpc: Rpc,
  asset: string,
  left: readonly ChainTransfer[],
  byNonce: ReadonlyMap<string, PaymentRecord>,
  matched: Set<PaymentRecord>,
): Promise<readonly LedgerDifference[]> {
  const differences: LedgerDifference[] = [];
  for (const transfer of left) {
    const { transaction, payer, amount, logIndex } = transfer;
    const uses = await usedNonces(rpc, { asset, transaction, payer });
    const nonce = (uses.findLast((use) => use.logIndex < logIndex) ?? uses[0])?.nonce;
    const record = nonce === undefined ? undefined : byNonce.get(nonceKey(payer, nonce));
    const kind = record === undefined ? 'not_in_ledger' : faultOf(record, amount);
    if (record !== undefined && isPaid(record)) matched.add(record);
    if (kind === undefined) continue;
    const ledgerAmount = record === undefined ? undefined : BigInt(record.amount);
    differences.push({
      kind,
      transaction,
      payer,
      nonce,
      ledgerAmount,
      chainAmount: amount,
      state: record?.state,
      block: transfer.block,
      settledAt: record?.settledAt,
    });
  }
  return differences;
}

/** Another transaction hash than the ledger's is no difference: the nonce says that it is the same payment. */
function faultOf(record: PaymentRecord, amount: bigint): DifferenceKind | undefined {
  if (!isPaid(record)) return 'state';
  return BigInt(record.amount) === amount ? undefined : 'amount';
}

function missingTransfer(record: PaymentRecord): LedgerDifference {
  const { transaction, payer, nonce, amount, state, settledAt } = record;
  return {
    kind: 'not_on_chain',
    transaction,
    payer,
    nonce,
    ledgerAmount: BigInt(amount),
    chainAmount: undefined,
    state,
    block: undefined,
    settledAt,
  };
}
