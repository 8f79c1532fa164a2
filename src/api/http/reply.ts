import type { ServerResponse } from 'node:http';
import type { Failure } from '../../domain/errors.ts';
import type { HttpReply } from '../../pay/types.ts';
import type { Access } from '../../products/define-product.ts';
import { COMMON_HEADERS, errorCaching, type FlatHeaders, without } from '../headers.ts';
import { renderProblem } from '../problem.ts';

/** Called with faults of which a client sees a 500 at most. */
export type ReportFault = (fault: { readonly at: string; readonly error: unknown }) => void;

/** Sends a whole response. Node leaves the body out by itself for HEAD and 304. */
export function send(response: ServerResponse, status: number, headers: FlatHeaders, body?: Buffer): void {
  // Node only reads the array.
  response.writeHead(status, headers as string[]);
  response.end(body);
}

/** Decided here for every reply, wherever it was made. */
const OWN = new Set(['cache-control', 'vary', 'content-length']);

/** All headers of a reply made elsewhere: the common ones, its own over them, how it may be cached, its length. */
export function completeHeaders(reply: HttpReply, caching: FlatHeaders): FlatHeaders {
  const kept: string[] = [];
  const names = new Set<string>();
  for (const name in reply.headers) {
    const lower = name.toLowerCase();
    if (OWN.has(lower)) continue;
    names.add(lower);
    kept.push(name, reply.headers[name] ?? '');
  }
  return [
    ...without(COMMON_HEADERS, names),
    ...kept,
    ...caching,
    'Content-Length',
    String(reply.body.length),
  ];
}

/** Sends a failure as a problem document. `extra` adds headers such as Allow. */
export function sendProblem(
  response: ServerResponse,
  failure: Failure,
  sale?: Access,
  extra: Readonly<Record<string, string>> = {},
): void {
  const problem = renderProblem(failure);
  sendReply(response, { ...problem, headers: { ...problem.headers, ...extra } }, sale);
}

/** Sends a refusal that is made whole, never to be kept. */
export function sendReply(response: ServerResponse, reply: HttpReply, sale?: Access): void {
  send(response, reply.status, completeHeaders(reply, errorCaching(sale)), reply.body);
}
