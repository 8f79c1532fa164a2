import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashTypedData } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AUTHORIZATION } from '../../packages/client/src/payment.ts';
import { type McpService, startMcpService } from '../mcp/mcp-service.ts';
import { hasModule, pythonObstacle, runPython } from './python.ts';

/** Each takes some 30 ms of Python's own arithmetic. */
const SIGNATURES = Number(process.env.PERPMETER_PYTHON_SIGNATURES ?? 300);

const folder = mkdtempSync(join(tmpdir(), 'python-'));
const facts = join(folder, 'facts.json');
let service: McpService;

const hex = (bytes: number): `0x${string}` => `0x${generatePrivateKey().slice(2, 2 + 2 * bytes)}`;
const whole = (): bigint => BigInt(hex(6));

/** A payment by random words, with its digest and signature as viem makes them. */
async function signedByViem() {
  const key = generatePrivateKey();
  const account = privateKeyToAccount(key);
  const domain = {
    name: `USD ${hex(4)} é`,
    version: '2',
    chainId: Number(whole()),
    verifyingContract: hex(20),
  };
  const message = {
    from: account.address,
    to: hex(20),
    value: whole(),
    validAfter: 0n,
    validBefore: whole(),
    nonce: hex(32),
  };
  const types = { TransferWithAuthorization: AUTHORIZATION };
  const data = { domain, types, primaryType: 'TransferWithAuthorization', message } as const;
  const signature = await account.signTypedData(data);
  const said = Object.fromEntries(Object.entries(message).map(([name, value]) => [name, String(value)]));
  return { key, address: account.address, domain, message: said, digest: hashTypedData(data), signature };
}

describe.skipIf(pythonObstacle !== undefined)(`the Python client (${pythonObstacle ?? 'on pytest'})`, () => {
  beforeAll(async () => {
    service = await startMcpService();
    const signatures = await Promise.all(Array.from({ length: SIGNATURES }, signedByViem));
    const { privateKey: key, address } = service.chain.buyer;
    writeFileSync(facts, JSON.stringify({ url: service.url, key, address, signatures }));
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  it.each(['test_signing.py', 'test_buying.py', 'test_follow.py'])('%s: passes', async (file) => {
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
    const before = await service.earned();
    const { said } = await runPython(['-c', program], { env: { PERPMETER_TEST_FACTS: facts } });
    const earned = (await service.earned()) - before;
    expect(Number(said) * 1e6).toBe(Number(earned));
    expect(earned).toBeGreaterThan(0n);
  });

  it.skipIf(!hasModule('mypy'))('the types of the package: strict, without a finding', async () => {
    const cache = join(folder, 'mypy');
    const { code, said } = await runPython(['-m', 'mypy', '--cache-dir', cache]);
    expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('no issues found') });
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
    const asked = String(lines).replace('var/demo.json', 'demo.json');
    const { code, said } = await runPython(['-c', asked], { cwd: unpacked, env: { PYTHONPATH: unpacked } });
    expect({ code, said }).toEqual({ code: 0, said: expect.stringMatching(/^(-?[\d.e-]+|None)\n$/) });
  });
});
