import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type McpService, startMcpService } from '../mcp/mcp-service.ts';
import { hasChromium, openBrowser } from '../web/browser.ts';
import { BOUGHT, bundledBuyer } from './bundle.ts';

const IN_WORKER = `import { buy } from './buyer.js';
onmessage = async ({ data }) => postMessage(await buy(data).catch(String));`;
const IN_THREAD = `import { parentPort, workerData } from 'node:worker_threads';
import { buy } from './buyer.mjs';
parentPort.postMessage(await buy(workerData));`;

const buyer = bundledBuyer();
let service: McpService;
let given: readonly [url: string, key: string];
const folder = mkdtempSync(join(tmpdir(), 'runtimes-'));
beforeAll(async () => {
  service = await startMcpService();
  given = [service.url, service.chain.buyer.privateKey];
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

describe.skipIf(!hasChromium)('the client in Chromium, on a page of another origin', () => {
  let browser: Browser | undefined;
  let server: Server;
  let origin = '';
  beforeAll(async () => {
    const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
      '/': ['text/html', '<!doctype html><title>buyer</title>'],
      '/buyer.js': ['text/javascript', buyer],
      '/worker.js': ['text/javascript', IN_WORKER],
    };
    server = createServer(({ url = '' }, response) => {
      const file = files[url];
      if (file === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': file[0] }).end(file[1]);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    server.close();
  });

  it.each([
    ['the page', `(given) => import('/buyer.js').then(({ buy }) => buy(given))`],
    [
      'a worker of it',
      `(given) => new Promise((resolve) => {
        const worker = new Worker('/worker.js', { type: 'module' });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => resolve(message);
        worker.postMessage(given);
      })`,
    ],
  ])('buys one answer in %s', async (_, program) => {
    const before = await service.earned();
    const page = await browser?.newPage();
    await page?.goto(origin);
    expect(await page?.evaluate(`(${program})(${JSON.stringify(given)})`)).toEqual(BOUGHT);
    expect((await service.earned()) - before).toBe(1000n);
    await page?.close();
  });
});

it('the client buys one answer in a thread of Node.js', async () => {
  writeFileSync(join(folder, 'buyer.mjs'), buyer);
  writeFileSync(join(folder, 'thread.mjs'), IN_THREAD);
  const before = await service.earned();
  const thread = new Worker(join(folder, 'thread.mjs'), { workerData: given });
  expect(await once(thread, 'message')).toEqual([BOUGHT]);
  expect((await service.earned()) - before).toBe(1000n);
});
