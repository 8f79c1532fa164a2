import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startSeller as startService } from '../../scripts/foreign/sellers.ts';
import { type BuyOptions, buyCommand } from '../../src/cli/buy.ts';
import { verifyCommand } from '../../src/modules/receipts/verify.ts';
import { startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { challenge, json, PATH, problem, type Seller, startSeller, terms } from '../client/seller.ts';

/** No text in any encoding: bytes that a reader of UTF-8 would replace. */
const BINARY = Buffer.from([0x50, 0x41, 0x52, 0x31, 0x00, 0xff, 0xfe, 0x80, 0x0d, 0x0a, 0xc3, 0x28, 0x50]);
const KEY = `0x${'1'.repeat(64)}`;
const PRICE = { amount: '50000' };
/** Can be opened and never written: a disk that is full. */
const FULL = '/dev/full';
const PAID = Buffer.from(JSON.stringify({ success: true, transaction: '0x1' })).toString('base64');
const RECEIPT = 'eyJhbGciOiJFZERTQSJ9.e30.c2ln';

let seller: Seller;
const folder = mkdtempSync(join(tmpdir(), 'perpmeter-buy-'));
beforeAll(async () => {
  seller = await startSeller();
  const free: Readonly<Record<string, ReturnType<typeof json>>> = {
    '/v1/health': json(200, { payments: { mode: 'remote' } }),
    '/.well-known/did.json': json(503, { detail: 'no keys now' }),
  };
  seller.listed = terms(PRICE);
  seller.unpaid = (request, response) => (free[request.url ?? ''] ?? challenge(PRICE))(request, response);
  const headers = {
    'Content-Type': 'application/vnd.apache.parquet',
    'Perpmeter-Receipt': RECEIPT,
    'Payment-Response': PAID,
  };
  seller.paid = [(_, response) => response.writeHead(200, headers).end(BINARY)];
});
afterAll(async () => {
  await seller.stop();
  rmSync(folder, { recursive: true });
});

/** Runs the command and gives what it wrote to standard output. */
async function bought(options: Partial<BuyOptions> = {}) {
  const written: Buffer[] = [];
  const stdout = vi
    .spyOn(process.stdout, 'write')
    .mockImplementation((chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
      written.push(Buffer.from(chunk));
      for (const done of rest) if (typeof done === 'function') done();
      return true;
    });
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const all = { url: seller.url, key: KEY, maxUsd: '0.10', ...options };
  const code = await buyCommand(`${PATH}?format=parquet`, all);
  const said = stderr.mock.calls.map(([text]) => String(text)).join('');
  stdout.mockRestore();
  stderr.mockRestore();
  return { code, stdout: Buffer.concat(written), said };
}

describe('buy', () => {
  it('a binary body: in a file byte for byte, and nowhere else', async () => {
    const out = join(folder, 'btc.parquet');
    writeFileSync(out, 'x'.repeat(100));
    expect(await bought({ out })).toMatchObject({ code: 0, stdout: Buffer.alloc(0) });
    expect(readFileSync(out)).toEqual(BINARY);
  });

  it('writes a binary body to standard output as it came', async () => {
    expect(await bought()).toMatchObject({ code: 0, stdout: BINARY });
  });

  it('pays nothing above its cap, or at another price than the catalog’s', async () => {
    const before = seller.presented.length;
    expect(await bought({ maxUsd: '0.049' })).toMatchObject({
      code: 1,
      said: 'buy: over_budget: The price is 0.05 USD; the cap of a call is 0.049.\n',
    });
    seller.listed = terms();
    expect((await bought()).said).toMatch(/^buy: not_as_listed: /);
    expect(seller.presented).toHaveLength(before);
    seller.listed = terms(PRICE);
  });
});

describe('buy, whose payment has no known outcome', () => {
  it('a purchase with --id: presented under it by each run', async () => {
    const id = 'order-0123456789abcdef';
    const before = seller.presented.length;
    for (let run = 0; run < 2; run++) expect(await bought({ id })).toMatchObject({ code: 0 });
    const presented = seller.presented.slice(before);
    expect(presented.map(({ key }) => key)).toEqual([id, id]);
    expect(new Set(presented.map(({ payment }) => payment)).size).toBe(2);
    const refused = await bought({ id: 'too short' });
    expect([refused.code, refused.said]).toEqual([1, expect.stringContaining('--id is 16 to 128')]);
  });

  it('prints what presents the same payment again, and gets the answer', async () => {
    const { paid } = seller;
    const before = seller.presented.length;
    seller.paid = [problem(503, 'settlement_unknown', '3600')];
    const { code, said } = await bought();
    seller.paid = paid;
    expect(code).toBe(1);
    expect(said).toMatch(/a second run of this command would sign a second one\..* until \d{4}-.*Z/);
    const line = said.split('\n').find((line) => line.startsWith('curl '));
    const answer = await promisify(execFile)('sh', ['-c', line ?? 'false'], { encoding: 'buffer' });
    expect(answer.stdout.subarray(-BINARY.length)).toEqual(BINARY);
    const [first, again] = seller.presented.slice(before);
    expect(again).toEqual(first);
  });

  it('says nothing of a second one where nothing was signed', async () => {
    expect((await bought({ maxUsd: '0.01' })).said).not.toMatch(/curl|second/);
  });
});

describe('buy, whose file', () => {
  const nowhere = join(folder, 'none', 'answer');

  it.each([
    ['of the answer', { out: nowhere }],
    ['of the receipt', { receipt: nowhere, out: join(folder, 'unpaid') }],
    ['of both is the same', { receipt: join(folder, 'unpaid'), out: `${folder}/./unpaid` }],
  ])('%s cannot be written pays nothing, and leaves nothing behind', async (_, files) => {
    const before = seller.presented.length;
    const { code, said } = await bought(files);
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(/^buy: nothing was paid: .*(?:ENOENT|same file)/),
    ]);
    expect([seller.presented.length, existsSync(join(folder, 'unpaid'))]).toEqual([before, false]);
  });

  it('is there already keeps what it had where nothing is bought', async () => {
    const out = join(folder, 'kept');
    const receipt = join(folder, 'new');
    writeFileSync(out, 'of before');
    expect(await bought({ out, receipt, maxUsd: '0.01' })).toMatchObject({ code: 1 });
    expect([readFileSync(out, 'utf8'), existsSync(receipt)]).toEqual(['of before', false]);
  });

  it.skipIf(!existsSync(FULL))('a file that cannot be written: body on output, payment first', async () => {
    const { code, stdout, said } = await bought({ out: FULL });
    expect([code, stdout]).toEqual([1, BINARY]);
    expect(said).toMatch(
      /^buy: 200, .*"transaction":"0x1".*\nbuy: the answer is on standard output, .*ENOSPC/,
    );
  });

  it.skipIf(!existsSync(FULL))('of the receipt cannot be written has it on standard error', async () => {
    const { code, stdout, said } = await bought({ receipt: FULL });
    expect([code, stdout]).toEqual([1, BINARY]);
    expect(said).toContain(JSON.stringify({ receipt: RECEIPT }));
  });
});

describe('buy --receipt', () => {
  it('keeps the receipt where the keys of the service cannot be had', async () => {
    const receipt = join(folder, 'without-keys.json');
    const { code, said } = await bought({ receipt });
    expect([code, JSON.parse(readFileSync(receipt, 'utf8'))]).toEqual([0, { receipt: RECEIPT }]);
    expect(said).toContain('the receipt has no keys beside it, verify takes them with --keys: status 503');
  });

  it('the proofs of the answer are kept, changed ones are not', async () => {
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
