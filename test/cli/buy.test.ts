import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startSeller as startService } from '../../scripts/foreign/sellers.ts';
import { buyCommand } from '../../src/cli/buy.ts';
import { verifyCommand } from '../../src/cli/verify.ts';
import { startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { challenge, json, PATH, type Seller, startSeller, terms } from '../client/seller.ts';

/** No text in any encoding: bytes that a reader of UTF-8 would replace. */
const BINARY = Buffer.from([0x50, 0x41, 0x52, 0x31, 0x00, 0xff, 0xfe, 0x80, 0x0d, 0x0a, 0xc3, 0x28, 0x50]);
const KEY = `0x${'1'.repeat(64)}`;
const PRICE = { amount: '50000' };

let seller: Seller;
const folder = mkdtempSync(join(tmpdir(), 'perpmeter-buy-'));
beforeAll(async () => {
  seller = await startSeller();
  const health = json(200, { payments: { mode: 'remote' } });
  seller.listed = terms(PRICE);
  seller.unpaid = (request, response) =>
    (request.url === '/v1/health' ? health : challenge(PRICE))(request, response);
  seller.paid = [
    (_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/vnd.apache.parquet' }).end(BINARY),
  ];
});
afterAll(async () => {
  await seller.stop();
  rmSync(folder, { recursive: true });
});

/** Runs the command and gives what it wrote to standard output. */
async function bought(out?: string, maxUsd = '0.10') {
  const written: Buffer[] = [];
  const stdout = vi
    .spyOn(process.stdout, 'write')
    .mockImplementation((chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
      written.push(Buffer.from(chunk));
      for (const done of rest) if (typeof done === 'function') done();
      return true;
    });
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const file = out === undefined ? {} : { out };
  const code = await buyCommand(`${PATH}?format=parquet`, { url: seller.url, key: KEY, maxUsd, ...file });
  const said = stderr.mock.calls.map(([text]) => String(text)).join('');
  stdout.mockRestore();
  stderr.mockRestore();
  return { code, stdout: Buffer.concat(written), said };
}

describe('buy', () => {
  it('writes a binary body to a file byte for byte, and nothing else anywhere', async () => {
    const out = join(folder, 'btc.parquet');
    expect(await bought(out)).toMatchObject({ code: 0, stdout: Buffer.alloc(0) });
    expect(readFileSync(out)).toEqual(BINARY);
  });

  it('writes a binary body to standard output as it came', async () => {
    expect(await bought()).toMatchObject({ code: 0, stdout: BINARY });
  });

  it('pays nothing above its cap, or at another price than the catalog’s', async () => {
    const before = seller.presented.length;
    expect(await bought(undefined, '0.049')).toMatchObject({
      code: 1,
      said: 'buy: over_budget: The price is 0.05 USD; the cap of a call is 0.049.\n',
    });
    seller.listed = terms();
    expect((await bought()).said).toMatch(/^buy: not_as_listed: /);
    expect(seller.presented).toHaveLength(before);
  });
});

describe('buy --receipt', () => {
  it('keeps what verifies the answer, and nothing that was changed or was bought otherwise', async () => {
    const chain = await startSandboxChain();
    const gas = chain.facilitator.privateKey;
    const service = await startService(chain, { PAYMENTS_MODE: 'self', FACILITATOR_PRIVATE_KEY: gas });
    const [out, receipt, keys] = ['answer', 'receipt', 'did'].map((name) => join(folder, `${name}.json`));
    if (out === undefined || receipt === undefined || keys === undefined) throw new Error('no files');
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const told = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const request = '/v1/funding/current?symbol=BTC';
    const bill = { url: service.url, key: chain.buyer.privateKey, maxUsd: '0.01' };
    expect(await buyCommand(request, { ...bill, out, receipt })).toBe(0);
    writeFileSync(keys, await (await fetch(`${service.url}/.well-known/did.json`)).text());
    await service.stop();
    await chain.stop();

    const payer = chain.buyer.address;
    expect(await verifyCommand(out, receipt, { keys, request, payer, exact: true })).toBe(0);
    expect(await verifyCommand(out, receipt, { keys, request: '/v1/funding/current?symbol=ETH' })).toBe(1);
    expect(await verifyCommand(out, receipt, { keys, payer: chain.payee.address })).toBe(1);
    const answer = readFileSync(out, 'utf8');
    writeFileSync(out, answer.replace('"BTC"', '"ETH"'));
    expect(await verifyCommand(out, receipt, { keys })).toBe(1);
    writeFileSync(out, answer);
    const kept = JSON.parse(readFileSync(receipt, 'utf8')) as { sources: string };
    writeFileSync(receipt, JSON.stringify({ ...kept, sources: kept.sources.replace('binance', 'bybit') }));
    expect(await verifyCommand(out, receipt, { keys })).toBe(1);
    said.mockRestore();
    told.mockRestore();
  });
});
