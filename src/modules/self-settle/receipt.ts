import { isWire, type Wire } from '../../domain/read.ts';
import { isDeepEnough } from '../../pay/blocks.ts';
import type { Rpc } from '../../pay/rpc.ts';
import { wait } from '../../runtime/timer.ts';
import type { PendingTransaction, TransactionQueue } from './transaction-queue.ts';

export interface ReceiptOptions {
  readonly rpc: Rpc;
  readonly outbox: TransactionQueue;
  readonly sending: PendingTransaction;
  /** Blocks, that of the transaction included, after which it counts. */
  readonly confirmations: number;
  readonly pollMs: number;
  /** As performance.now() counts. */
  readonly until: number;
}

/** `late`: not mined in time. `replaced`: another transaction used its number. */
export type ReceiptFound = { readonly transaction: string; readonly receipt: Wire } | 'late' | 'replaced';

const MAX_POLL_MS = 1_000;
/** A node may count a transaction before it shows the receipt. */
const CHECKS_BEFORE_REPLACED = 3;

/** Waits for a transaction to be mined and confirmed. A node that fails is asked again; never rejects. */
export async function awaitReceipt(options: ReceiptOptions): Promise<ReceiptFound> {
  const { rpc, outbox, sending, confirmations, until, pollMs } = options;
  let missed = 0;
  for (let pause = pollMs; ; pause = Math.min(pause * 1.5, MAX_POLL_MS)) {
    // From before it is asked: a process that was paused meanwhile asks once more.
    const isLast = performance.now() + pause >= until;
    try {
      const found = await mined(options);
      if (found === undefined) {
        missed = (await outbox.isOver(sending)) ? missed + 1 : 0;
        if (missed >= CHECKS_BEFORE_REPLACED && (await mined(options)) === undefined) return 'replaced';
      } else if (await isDeepEnough(rpc, found.receipt, confirmations)) return found;
      else missed = 0;
    } catch {
      // The transaction is on its way whatever the node answers: it is asked again.
    }
    if (isLast) return 'late';
    await wait(pause);
  }
}

async function mined({ rpc, sending }: ReceiptOptions): Promise<Exclude<ReceiptFound, string> | undefined> {
  for (const transaction of sending.hashes) {
    const receipt = await rpc('eth_getTransactionReceipt', [transaction]);
    if (isWire(receipt)) return { transaction, receipt };
  }
  return undefined;
}
