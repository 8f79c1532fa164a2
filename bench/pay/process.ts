/** A seller or a facilitator under test, in a process of its own, told by messages of the parent. */
import { type Facilitate, facilitateOfficial, facilitateOurs } from './facilitators.ts';
import type { PayMessage, PayOrder } from './messages.ts';
import { sellOfficial } from './official-seller.ts';
import { sellOurs } from './sellers.ts';
import { createStubRpc } from './stub-rpc.ts';
import { benchSeller } from './terms.ts';
import { type Signed, Wallet } from './wallet.ts';

/** Payments that a facilitator works on at a time. */
const AT_ONCE = 32;
const ACCOUNTS = 64;

interface WorkerState {
  readonly wallet: Wallet;
  readonly facilitate: Facilitate;
}

let workerState: WorkerState | undefined;
let cpu = process.cpuUsage();

const tell = (message: PayMessage): void => {
  process.send?.(message);
};

function tellUsed(settled: number): void {
  const { user, system } = process.cpuUsage(cpu);
  tell({ kind: 'used', cpuSeconds: (user + system) / 1e6, settled });
}

async function startWorker(by: 'ours' | 'official'): Promise<WorkerState> {
  const seller = benchSeller();
  const rpc = createStubRpc(seller);
  const facilitate = by === 'ours' ? await facilitateOurs(seller, rpc) : facilitateOfficial(seller, rpc);
  return { wallet: await Wallet.open(seller, ACCOUNTS), facilitate };
}

/** Signed before the clock starts; then verified and settled, some at a time. */
async function settleAll({ wallet, facilitate }: WorkerState, payments: number): Promise<void> {
  const signed: Signed[] = [];
  for (let i = 0; i < payments; i++) signed.push(await wallet.sign(1000n));
  const waiting = signed[Symbol.iterator]();
  cpu = process.cpuUsage();
  const work = async (): Promise<void> => {
    for (const one of waiting) await facilitate(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  tellUsed(payments);
}

async function handleOrder(order: PayOrder): Promise<void> {
  switch (order.kind) {
    case 'sell': {
      const selling = order.by === 'official' ? sellOfficial(order) : sellOurs(order);
      return tell({ kind: 'ready', port: await selling });
    }
    case 'facilitate':
      workerState = await startWorker(order.by);
      return tell({ kind: 'ready', port: 0 });
    case 'settle':
      if (workerState === undefined) throw new Error('not told to facilitate');
      return settleAll(workerState, order.payments);
    case 'begin':
      cpu = process.cpuUsage();
      return tell({ kind: 'begun' });
    case 'end':
      return tellUsed(0);
  }
}

process.on('message', (order: PayOrder) => {
  handleOrder(order).catch((cause: unknown) => {
    console.error(cause);
    process.exit(1);
  });
});
process.on('disconnect', () => process.exit(0));
