import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChannelService, startChannelService } from '../client/channels/rig.ts';
import { hasModule, pythonObstacle, runPython } from './python.ts';
import { ruffFindings } from './ruff.ts';
import { channelByClient, signedByViem } from './vectors.ts';

/** Keys, of which each signs ten payments. */
const KEYS = Number(process.env.PERPMETER_PYTHON_SIGNATURES ?? 10_000) / 10;
/** Each test of channels has a key of its own. */
const BUYERS = 24;

const folder = mkdtempSync(join(tmpdir(), 'python-'));
const facts = join(folder, 'facts.json');
let service: ChannelService;

/** A key whose address has money. */
async function fundedKey(): Promise<string> {
  const key = generatePrivateKey();
  await service.chain.mint(privateKeyToAccount(key).address, 1_000_000n);
  return key;
}

const earned = (): Promise<bigint> => service.chain.balanceOf(service.chain.payee.address);

describe.skipIf(pythonObstacle !== undefined)(`the Python client (${pythonObstacle ?? 'on pytest'})`, () => {
  beforeAll(async () => {
    service = await startChannelService();
    const signatures = await Promise.all(Array.from({ length: KEYS }, () => signedByViem(10)));
    const { privateKey: key, address } = service.chain.buyer;
    const buyers = await Promise.all(Array.from({ length: BUYERS }, fundedKey));
    const channels = await Promise.all(Array.from({ length: 20 }, channelByClient));
    const given = { url: service.url, key, address, signatures, buyers, channels };
    writeFileSync(facts, JSON.stringify(given));
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  it.each([
    'test_signing.py',
    'test_buying.py',
    'test_follow.py',
    'test_channels.py',
    'test_channel_sellers.py',
  ])('%s: passes', async (file) => {
    const { code, said } = await runPython(
      ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', `tests/${file}`],
      { env: { PERPMETER_TEST_FACTS: facts } },
    );
    expect(said).toMatch(/\d+ passed/);
    expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
  });

  it('what is sold: earned once for each answer', async () => {
    const program = `
import json, os
from perpmeter import *
facts = json.load(open(os.environ["PERPMETER_TEST_FACTS"]))
client = Client(facts["url"], Wallet(PrivateKey(facts["key"]), Caps("0.05", "1")))
client.perp_basis(ticker="BTC")
client.perp_basis(ticker="BTC")
print(client.spent_usd())`;
    const before = await earned();
    const { said } = await runPython(['-c', program], { env: { PERPMETER_TEST_FACTS: facts } });
    const more = (await earned()) - before;
    expect(Number(said) * 1e6).toBe(Number(more));
    expect(more).toBeGreaterThan(0n);
  });

  it.skipIf(!hasModule('mypy'))('the types of the package: strict, without a finding', async () => {
    const cache = join(folder, 'mypy');
    const { code, said } = await runPython(['-m', 'mypy', '--cache-dir', cache]);
    expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('no issues found') });
  });

  it('the sources of the package and its tests: clean, as Ruff says', async () => {
    expect(await ruffFindings()).toEqual([]);
  });

  it('wheel and sdist: the same bytes twice, and the wheel alone buys', async () => {
    const first = mkdtempSync(join(folder, 'a-'));
    const second = mkdtempSync(join(folder, 'b-'));
    for (const target of [first, second])
      expect((await runPython(['perpmeter_build.py', target])).code).toBe(0);
    const names = readdirSync(first).sort();
    expect(names).toEqual([expect.stringMatching(/\.whl$/), expect.stringMatching(/\.tar\.gz$/)]);
    for (const name of names)
      expect(readFileSync(join(first, name)).equals(readFileSync(join(second, name)))).toBe(true);
    const unpacked = mkdtempSync(join(folder, 'empty-'));
    await runPython(['-m', 'zipfile', '-e', join(first, names[0] ?? ''), unpacked]);
    const demo = { base_url: service.url, buyer_private_key: service.chain.buyer.privateKey };
    writeFileSync(join(unpacked, 'demo.json'), JSON.stringify(demo));
    const lines = /```python\n(from perpmeter import demo_client[\s\S]*?)```/.exec(
      readFileSync(new URL('../../packages/python/README.md', import.meta.url), 'utf8'),
    )?.[1];
    // Without site: no package of the machine is there.
    const asked = String(lines).replace('var/demo.json', 'demo.json');
    const { code, said } = await runPython(['-S', '-c', asked], {
      cwd: unpacked,
      env: { PYTHONPATH: unpacked },
    });
    expect({ code, said }).toEqual({ code: 0, said: expect.stringMatching(/^(-?[\d.e-]+|None)\n$/) });
  });
});
