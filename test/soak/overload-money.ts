import { execFile } from 'node:child_process';
import type { DemoFile } from '../../src/host/process/demo-file.ts';

const DATA_DIR = 'var/demo';

export interface Money {
  /** Payments that the ledger holds as paid. */
  readonly payments: number;
  /** The ledger's earnings less the chain's. */
  readonly difference: number;
  /** Differences that `ledger reconcile` names. */
  readonly differences: number;
}

/** Runs a command of the service beside it; resolves with its exit code. */
function run(args: readonly string[]): Promise<{ readonly code: number; readonly out: string }> {
  return new Promise((done) => {
    execFile(process.execPath, ['bin/perpmeter.cjs', ...args, '--data-dir', DATA_DIR], (error, out) => {
      done({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1, out });
    });
  });
}

/** Checks the ledger of the demo, which is new with every start, against the chain. */
export async function compareMoney(file: Required<DemoFile>, earned: bigint): Promise<Money> {
  const sums = await run(['ledger', 'sums', '--by', 'route', '--json']);
  const rows = sums.out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { payments: number; amount: string });
  const inLedger = rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  const reconciled = await run(['ledger', 'reconcile', '--rpc-url', file.rpc_url, '--json']);
  return {
    payments: rows.reduce((sum, row) => sum + row.payments, 0),
    difference: Number(inLedger - earned),
    differences: reconciled.code,
  };
}
