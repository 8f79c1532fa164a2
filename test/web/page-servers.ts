import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { isPagePath } from '../../src/api/page/page.ts';
import { type PageFiles, readPageFiles } from '../../src/api/page/page-files.ts';
import { createDemoWallet } from '../../src/modules/demo/wallet.ts';
import { operatorGuard } from '../../src/modules/operator/guard.ts';
import { type ExampleApi, SELLER } from '../api/example-api.ts';
import { EXAMPLE_NOW } from '../api/example-market.ts';
import { createStreamApi } from '../api/stream-api.ts';
// Importing it builds what has changed, the page among it.
import { PROGRAM } from '../cli/run-cli.ts';

/** Of nobody: made up for these tests. */
export const BUYER_KEY = `0x${'42'.repeat(32)}` as const;

/** Has a page of the public address read the time of the example market off its answers. */
export async function atExampleTime(page: Page): Promise<void> {
  const date = new Date(EXAMPLE_NOW).toUTCString();
  await page.addInitScript(`{
    const read = Headers.prototype.get;
    Headers.prototype.get = function (name) {
      return name.toLowerCase() === 'date' ? ${JSON.stringify(date)} : read.call(this, name);
    };
  }`);
}

/** The page as it is built from these sources. */
export function builtPage(): PageFiles {
  const page = readPageFiles();
  if (page === undefined) throw new Error(`${PROGRAM} has built no page`);
  return page;
}

export interface PageServers {
  readonly example: ExampleApi;
  /** Address where answers are sold. */
  readonly public: string;
  /** Address where they are free. */
  readonly operator: string;
  /** Breaks every connection of the operator's port. */
  cut(): void;
  close(): Promise<void>;
}

/**
 * The example market with its page, on both ports.
 * @param token the token of the operator's port; without one it is open
 */
export async function servePage(
  options: Parameters<typeof createStreamApi>[0] = {},
  token?: string,
): Promise<PageServers> {
  const guard = token === undefined ? undefined : operatorGuard(token);
  const example = createStreamApi({
    page: builtPage(),
    mounts: [{ connect: () => createDemoWallet(BUYER_KEY, SELLER) }],
    coalesceMs: 0,
    ...options,
  });
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    // The example market stands at one moment; a page reads the time off its answers.
    response.setHeader('Date', new Date(example.clock.now()).toUTCString());
    const refusal = guard?.(request);
    if (refusal !== undefined && !isPagePath(request.url ?? '')) response.writeHead(refusal.status).end('{}');
    else if (!example.api.answerOperator(request, response)) response.writeHead(404).end();
  };
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    example,
    public: await example.start(),
    operator: `http://127.0.0.1:${port}`,
    cut: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await example.close();
    },
  };
}
