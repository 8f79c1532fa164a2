import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stubFacilitator } from '../pay/stub-facilitator.ts';

interface Asked {
  readonly paymentPayload: Parameters<typeof stubFacilitator.verify>[0];
  readonly paymentRequirements: Parameters<typeof stubFacilitator.verify>[1];
}

/** The body of a request. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

/** A server of a benchmark. */
export interface StubServer {
  readonly url: string;
  readonly stop: () => void;
}

/** A facilitator over HTTP that finds every payment good and settles it, at once. */
export function startStubFacilitator(facilitator = stubFacilitator): Promise<StubServer> {
  return startStubServer(async (request) => {
    if (request.url === '/supported') return facilitator.getSupported();
    const { paymentPayload, paymentRequirements } = (await readJson(request)) as Asked;
    const call = request.url === '/verify' ? facilitator.verify : facilitator.settle;
    return call(paymentPayload, paymentRequirements);
  });
}

/** Answers each request with JSON. */
export async function startStubServer(
  answer: (request: IncomingMessage) => Promise<unknown>,
): Promise<StubServer> {
  const server = createServer(async (request, response) => {
    const body = JSON.stringify(await answer(request));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}
