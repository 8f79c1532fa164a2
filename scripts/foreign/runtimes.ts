import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { BOUGHT, bundledBuyer } from '../../test/client/bundle.ts';
import { packageFile, run, versionOf } from './packages.ts';
import { type Row, rowOf } from './row.ts';
import { startSeller } from './sellers.ts';

/** Runtimes as their makers publish them in the registry, and how each runs a file that asks the network. */
const RUNTIMES = [
  {
    name: 'Deno',
    of: '@deno/linux-x64-glibc',
    program: 'deno',
    args: ['run', '--no-prompt', '--no-config', '--allow-net=127.0.0.1'],
  },
  { name: 'Bun', of: '@oven/bun-linux-x64', program: 'bin/bun', args: ['run'] },
] as const;

const PROGRAM = `import { buy } from './buyer.mjs';
console.log(JSON.stringify(await buy(JSON.parse('GIVEN'))));`;

/** Our client buys one answer in runtimes other than Node.js. */
export async function runtimes(say: (done: string) => void): Promise<readonly Row[]> {
  const chain = await startSandboxChain();
  const key = chain.facilitator.privateKey;
  const seller = await startSeller(chain, { PAYMENTS_MODE: 'self', FACILITATOR_PRIVATE_KEY: key });
  const folder = mkdtempSync(join(tmpdir(), 'runtimes-'));
  try {
    writeFileSync(join(folder, 'buyer.mjs'), bundledBuyer());
    const file = join(folder, 'buy.mjs');
    writeFileSync(file, PROGRAM.replace('GIVEN', JSON.stringify([seller.url, chain.buyer.privateKey])));
    const rows: Row[] = [];
    for (const { name, of, program, args } of RUNTIMES) {
      say(name);
      const before = await chain.balanceOf(chain.payee.address);
      const { stdout, stderr } = await run(packageFile(`${of}/${program}`), [...args, file]);
      const paid = (await chain.balanceOf(chain.payee.address)) - before;
      const bought = stdout.trim() === JSON.stringify(BOUGHT) && paid === 1000n;
      const fault = bought ? undefined : `${paid} atomic units: ${stdout} ${stderr}`.slice(0, 400);
      rows.push(rowOf(`@perpmeter/client in ${name}`, versionOf(of), [{ name: 'buys', fault }]));
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true });
    await seller.stop();
    await chain.stop();
  }
}
