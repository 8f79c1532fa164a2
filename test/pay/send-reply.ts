import type { IncomingMessage, ServerResponse } from 'node:http';
import { EncodedResponse, sendEncoded } from '../../src/api/encoded-response.ts';
import type { PaywallReply } from '../../src/pay/types.ts';

/** Sends an answer of the paywall as it is, by the service's own means, which tell the paywall what became of it. */
export function sendReply(request: IncomingMessage, response: ServerResponse, reply: PaywallReply): void {
  const { status, body } = reply;
  const headers = [...Object.entries(reply.headers).flat(), 'Content-Length', String(body.length)];
  sendEncoded(request, response, new EncodedResponse(status, headers, body), {
    more: reply.receipts,
    sent: reply.sent,
  });
}
