import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendImage, WireImage } from '../../src/api/wire-image.ts';
import type { GateReply } from '../../src/pay/types.ts';

/** Sends an answer of the gate as it is, by the service's own means, which tell the gate what became of it. */
export function sendReply(request: IncomingMessage, response: ServerResponse, reply: GateReply): void {
  const { status, body } = reply;
  const headers = [...Object.entries(reply.headers).flat(), 'Content-Length', String(body.length)];
  sendImage(request, response, new WireImage(status, headers, body), {
    more: reply.receipts,
    sent: reply.sent,
  });
}
