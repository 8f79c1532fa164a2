import { startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { bazaarExtensions, bazaarFilters } from './bazaar.ts';
import { openapi } from './openapi.ts';
import { casesIn, run, versionOf } from './packages.ts';
import { type Row, rowOf } from './row.ts';
import { startSeller } from './sellers.ts';

const SUITES = [
  {
    suite: 'AgentCash and x402scan, discover, check, 402',
    program: 'discover.mjs',
    of: '@agentcash/discovery',
  },
  { suite: 'catalog examples, bought, by ajv', program: 'examples.mjs', of: 'ajv' },
] as const;

/** Checks the documents that programs read of a seller: catalog, challenges, examples, OpenAPI. */
export async function reading(say: (done: string) => void): Promise<readonly Row[]> {
  const chain = await startSandboxChain({ blockTimeSeconds: 1 });
  const seller = await startSeller(chain, {
    PAYMENTS_MODE: 'self',
    FACILITATOR_PRIVATE_KEY: chain.facilitator.privateKey,
  });
  try {
    const { url } = seller;
    const key = chain.buyer.privateKey;
    say('Bazaar');
    const rows = [await bazaarExtensions(url), await bazaarFilters(url)];
    for (const { suite, program, of } of SUITES) {
      say(suite);
      const cases = casesIn(await run(process.execPath, [program, url, key]));
      rows.push(rowOf(suite, versionOf(of), cases));
    }
    say('OpenAPI');
    return [...rows, ...(await openapi(url))];
  } finally {
    await seller.stop();
    await chain.stop();
  }
}
