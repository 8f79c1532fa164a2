import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buyCommand } from '../../src/cli/buy.ts';

/** No text in any encoding: bytes that a reader of UTF-8 would replace. */
const BINARY = Buffer.from([0x50, 0x41, 0x52, 0x31, 0x00, 0xff, 0xfe, 0x80, 0x0d, 0x0a, 0xc3, 0x28, 0x50]);
const KEY = `0x${'1'.repeat(64)}`;
const CHALLENGE = {
  x402Version: 2,
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '50000',
      asset: `0x${'a'.repeat(40)}`,
      payTo: `0x${'b'.repeat(40)}`,
      maxTimeoutSeconds: 60,
      extra: { name: 'USD Coin', version: '2' },
    },
  ],
};

let server: Server;
let url = '';
const folder = mkdtempSync(join(tmpdir(), 'perpmeter-buy-'));
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/v1/health') {
      response.end(JSON.stringify({ payments: { mode: 'remote' } }));
    } else if (request.headers['payment-signature'] === undefined) {
      const challenge = Buffer.from(JSON.stringify(CHALLENGE)).toString('base64');
      response.writeHead(402, { 'payment-required': challenge }).end();
    } else {
      response.writeHead(200, { 'Content-Type': 'application/vnd.apache.parquet' }).end(BINARY);
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  url = `http://127.0.0.1:${address.port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  rmSync(folder, { recursive: true });
});

/** Runs the command and gives what it wrote to standard output. */
async function bought(out?: string): Promise<{ readonly code: number; readonly stdout: Buffer }> {
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
  const code = await buyCommand('/v1/backtest/data?format=parquet', {
    url,
    key: KEY,
    maxUsd: '0.10',
    ...file,
  });
  stdout.mockRestore();
  stderr.mockRestore();
  return { code, stdout: Buffer.concat(written) };
}

describe('buy', () => {
  it('writes a binary body to a file byte for byte, and nothing else anywhere', async () => {
    const out = join(folder, 'btc.parquet');
    expect(await bought(out)).toEqual({ code: 0, stdout: Buffer.alloc(0) });
    expect(readFileSync(out)).toEqual(BINARY);
  });

  it('writes a binary body to standard output as it came', async () => {
    expect(await bought()).toEqual({ code: 0, stdout: BINARY });
  });
});
