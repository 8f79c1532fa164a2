import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stubFacilitator } from '../pay/stub-facilitator.ts';

interface Asked {
  readonly paymentPayload: Parameters<typeof stubFacilitator.verify>[0];
  readonly paymentRequirements: Parameters<typeof stubFacilitator.verify>[1];
}

async function readAsked(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Asked;
}

/** A facilitator over HTTP that finds every payment good and settles it, at once. */
export async function startStubFacilitator(): Promise<{ readonly url: string; readonly stop: () => void }> {
  const server = createServer(async (request, response) => {
    const answer = async (): Promise<unknown> => {
      if (request.url === '/supported') return stubFacilitator.getSupported();
      const { paymentPayload, paymentRequirements } = await readAsked(request);
      const call = request.url === '/verify' ? stubFacilitator.verify : stubFacilitator.settle;
      return call(paymentPayload, paymentRequirements);
    };
    const body = JSON.stringify(await answer());
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}
