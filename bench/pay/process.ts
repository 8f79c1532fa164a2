/** A seller or a facilitator under test, in a process of its own, told by messages of the parent. */
import { type Facilitate, facilitateOfficial, facilitateOurs } from './facilitators.ts';
import type { PayMessage, PayOrder } from './messages.ts';
import { Purse, type Signed } from './purse.ts';
import { sellOfficial, sellOurs } from './sellers.ts';
import { createStubRpc } from './stub-rpc.ts';
import { benchSeller } from './terms.ts';

/** Payments that a facilitator works on at a time. */
const AT_ONCE = 32;
const ACCOUNTS = 64;

interface Workshop {
  readonly purse: Purse;
  readonly facilitate: Facilitate;
}

let workshop: Workshop | undefined;
let cpu = process.cpuUsage();

const tell = (message: PayMessage): void => {
  process.send?.(message);
};

function tellUsed(settled: number): void {
  const { user, system } = process.cpuUsage(cpu);
  tell({ kind: 'used', cpuSeconds: (user + system) / 1e6, settled });
}

async function openWorkshop(by: 'ours' | 'official'): Promise<Workshop> {
  const seller = benchSeller();
  const rpc = createStubRpc(seller);
  const facilitate = by === 'ours' ? await facilitateOurs(seller, rpc) : facilitateOfficial(seller, rpc);
  return { purse: await Purse.open(seller, ACCOUNTS), facilitate };
}

/** Signed before the clock starts; then verified and settled, some at a time. */
async function settleAll({ purse, facilitate }: Workshop, payments: number): Promise<void> {
  const signed: Signed[] = [];
  for (let i = 0; i < payments; i++) signed.push(await purse.sign(1000n));
  const waiting = signed[Symbol.iterator]();
  cpu = process.cpuUsage();
  const work = async (): Promise<void> => {
    for (const one of waiting) await facilitate(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  tellUsed(payments);
}

async function obey(order: PayOrder): Promise<void> {
  switch (order.kind) {
    case 'sell': {
      const selling =
        order.by === 'ours' ? sellOurs(order.folder) : sellOfficial(Buffer.from(order.body, 'base64'));
      return tell({ kind: 'ready', port: await selling });
    }
    case 'facilitate':
      workshop = await openWorkshop(order.by);
      return tell({ kind: 'ready', port: 0 });
    case 'settle':
      if (workshop === undefined) throw new Error('not told to facilitate');
      return settleAll(workshop, order.payments);
    case 'begin':
      cpu = process.cpuUsage();
      return tell({ kind: 'begun' });
    case 'end':
      return tellUsed(0);
  }
}

process.on('message', (order: PayOrder) => {
  obey(order).catch((cause: unknown) => {
    console.error(cause);
    process.exit(1);
  });
});
process.on('disconnect', () => process.exit(0));
