import type { Duplex } from 'node:stream';
import { ERRORS, type Failure } from '../../domain/errors.ts';
import { UNCACHED_HEADERS } from '../headers.ts';
import { renderProblem } from '../problem.ts';
import { completeHeaders } from './reply.ts';

export const MAX_HEADER_BYTES = 32 * 1024;

const REASONS: Readonly<Record<string, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  503: 'Service Unavailable',
  431: 'Request Header Fields Too Large',
};

function failureOf(code: unknown): Failure {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return { code: 'header_too_large', detail: `All headers together may have ${MAX_HEADER_BYTES} bytes.` };
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { code: 'request_timeout', detail: 'The headers of the request did not arrive in time.' };
  }
  return { code: 'malformed_request', detail: 'The bytes received are not an HTTP/1.1 request.' };
}

/** Answers what never became a request, as a problem document on the bare connection, and closes it. */
export function answerBrokenRequest(error: { readonly code?: unknown }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(bareReply(failureOf(error.code)));
}

/** Answers a request whose connection Node.js has given up, and closes it whether the answer is read or not. */
export function refuseHandshake(failure: Failure, socket: Duplex): void {
  socket.end(bareReply(failure), () => socket.destroy());
}

const TOO_MANY = bareReply({
  code: 'too_many_connections',
  detail: 'As many connections as the service keeps are open, in all or from this address.',
  retryAfterSeconds: 1,
});

/** Answers a connection that is not kept, and closes it whether the answer is read or not. */
export function refuseConnection(socket: Duplex): void {
  socket.on('error', () => {});
  socket.end(TOO_MANY, () => socket.destroy());
}

/** A problem document as the bytes of a whole HTTP answer, after which the connection ends. */
function bareReply(failure: Failure): Buffer {
  const reply = renderProblem(failure);
  const headers = completeHeaders(reply, UNCACHED_HEADERS);
  const lines = [`HTTP/1.1 ${reply.status} ${REASONS[reply.status] ?? ERRORS[failure.code].title}`];
  for (let i = 0; i + 1 < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
  lines.push(`Date: ${new Date().toUTCString()}`, 'Connection: close');
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), reply.body]);
}
