import { isWire, type Wire } from '../../../domain/read.ts';
import { type Rpc, readQuantity } from '../../rpc.ts';
import type { Outbox, Sending } from './outbox.ts';

export interface ReceiptOptions {
  readonly rpc: Rpc;
  readonly outbox: Outbox;
  readonly sending: Sending;
  /** Blocks, that of the transaction included, after which it counts. */
  readonly confirmations: number;
  readonly pollMs: number;
  /** As performance.now() counts. */
  readonly until: number;
}

/** `late`: not mined in time. `displaced`: another transaction used its number. */
export type ReceiptFound = { readonly transaction: string; readonly receipt: Wire } | 'late' | 'displaced';

const LONGEST_POLL_MS = 1_000;
/** A node may count a transaction before it shows the receipt. */
const CHECKS_BEFORE_DISPLACED = 3;

/** Waits for a transaction to be mined and confirmed. A node that fails is asked again; never rejects. */
export async function awaitReceipt(options: ReceiptOptions): Promise<ReceiptFound> {
  const { outbox, sending, until, pollMs } = options;
  let missed = 0;
  for (let pause = pollMs; ; pause = Math.min(pause * 1.5, LONGEST_POLL_MS)) {
    try {
      const found = await confirmed(options);
      if (found !== undefined) return found;
      missed = (await outbox.isOver(sending)) ? missed + 1 : 0;
      if (missed >= CHECKS_BEFORE_DISPLACED && (await confirmed(options)) === undefined) return 'displaced';
    } catch {
      // The transaction is on its way whatever the node answers: it is asked again.
    }
    if (performance.now() + pause >= until) return 'late';
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

async function confirmed({
  rpc,
  sending,
  confirmations,
}: ReceiptOptions): Promise<Exclude<ReceiptFound, string> | undefined> {
  for (const transaction of sending.hashes) {
    const receipt = await rpc('eth_getTransactionReceipt', [transaction]);
    if (isWire(receipt) && (await isDeepEnough(rpc, receipt, confirmations))) return { transaction, receipt };
  }
  return undefined;
}

async function isDeepEnough(rpc: Rpc, receipt: Wire, confirmations: number): Promise<boolean> {
  if (confirmations <= 1) return true;
  const [mined, latest] = [readQuantity(receipt.blockNumber), readQuantity(await rpc('eth_blockNumber', []))];
  return mined !== undefined && latest !== undefined && latest - mined + 1n >= BigInt(confirmations);
}
