import { type SandboxChain, startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { run } from './packages.ts';
import { type Row, rowOf } from './row.ts';
import { type Running, startOfficialFacilitator, startSeller } from './sellers.ts';

const ROUTE = '/v1/funding/current?symbol=BTC';

interface Bought {
  readonly name: string;
  readonly version: string;
  readonly fault?: string;
}

/** Every client buys once; a row for each. */
async function buyAll(chain: SandboxChain, { url }: Running, by: string): Promise<readonly Row[]> {
  const { privateKey: key } = chain.buyer;
  const given = { key, rpcUrl: chain.rpcUrl, asset: chain.token, payTo: chain.payee.address, price: '1000' };
  const { code, stdout, stderr } = await run(process.execPath, [
    'buy.mjs',
    url + ROUTE,
    JSON.stringify(given),
  ]);
  if (code !== 0) throw new Error(`buy.mjs ended with ${code}: ${stderr.slice(0, 2000)}`);
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => {
    const { name, version, fault } = JSON.parse(line) as Bought;
    return rowOf(`${name}, ${by}`, version, [{ name: 'buys', fault }]);
  });
}

/** Unmodified clients of every generation, with the reference facilitator behind HTTP and with our own. */
export async function clientsBuy(say: (done: string) => void): Promise<readonly Row[]> {
  // The oldest client's payments hold from five seconds ago: a chain without blocks is behind that.
  const chain = await startSandboxChain({ blockTimeSeconds: 1 });
  const running: Running[] = [];
  try {
    const facilitator = await startOfficialFacilitator(chain);
    running.push(facilitator);
    const official = await startSeller(chain, {
      PAYMENTS_MODE: 'remote',
      FACILITATOR_URL: facilitator.url,
    });
    running.unshift(official);
    say('clients, official facilitator');
    const rows = await buyAll(chain, official, 'official facilitator');
    const own = await startSeller(chain, {
      PAYMENTS_MODE: 'self',
      FACILITATOR_PRIVATE_KEY: chain.facilitator.privateKey,
    });
    running.unshift(own);
    say('clients, own facilitator');
    return [...rows, ...(await buyAll(chain, own, 'own facilitator'))];
  } finally {
    for (const { stop } of running) await stop();
    await chain.stop();
  }
}
