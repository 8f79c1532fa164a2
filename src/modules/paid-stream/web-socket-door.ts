import type { IncomingMessage } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { SECRET_HEADER } from '../../api/headers.ts';
import { refuseHandshake } from '../../api/http/broken-request.ts';
import type { Upgrade } from '../../api/http/event-stream.ts';
import { problemDocument, renderProblem } from '../../api/problem.ts';
import { ERRORS, type Failure } from '../../domain/errors.ts';
import { closeCodeOf } from './close-codes.ts';
import { WebSocketSink } from './web-socket-sink.ts';

/** The protocol that a reader offers, beside words of its own: browsers can set no other header of a WebSocket. */
const PROTOCOL = 'perpmeter.stream.v1';
const SECRET = 'perpmeter.secret.';
const AFTER = 'perpmeter.after.';
/** Readers send no messages: the longest frame that they may send is that of a ping (RFC 6455, 5.5). */
const MOST_PAYLOAD = 125;
/** HTTP status of a request that got another protocol. */
const SWITCHED = 101;
const KEY = /^[+/0-9A-Za-z]{22}==$/;

/** A reader's statements, by which it is let in. */
export interface Asked {
  readonly secret: string | undefined;
  /** Id of the last event that it has. */
  readonly lastId: string | undefined;
}

/** Takes a reader; or says why it is none. */
type Admit = (asked: Asked, sink: WebSocketSink) => Failure | undefined;

/** The words that a reader offers as protocols. */
const wordsOf = ({ headers }: IncomingMessage): readonly string[] =>
  (headers['sec-websocket-protocol'] ?? '').split(',').map((word) => word.trim());

/** Reads what a reader states among the protocols that it offers, as a browser has to, or in the headers of server-sent events. */
export function askedOf(request: IncomingMessage): Asked {
  const { headers } = request;
  const words = wordsOf(request);
  const stated = (prefix: string): string | undefined =>
    words.find((word) => word.startsWith(prefix))?.slice(prefix.length);
  return {
    secret: stated(SECRET) ?? headers[SECRET_HEADER.toLowerCase()]?.toString(),
    lastId: stated(AFTER) ?? headers['last-event-id']?.toString(),
  };
}

/** True of a handshake of RFC 6455; any other request is answered as if it had asked for no upgrade. */
const isHandshake = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' &&
  headers['sec-websocket-version'] === '13' &&
  KEY.test(headers['sec-websocket-key'] ?? '');

/** Takes connections as WebSockets, from pages of any origin: a secret reads a stream, and nothing that a browser adds by itself. */
export class WebSocketDoor {
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MOST_PAYLOAD,
    perMessageDeflate: false,
    autoPong: false,
    // The secret that is offered beside it is never repeated.
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  });

  constructor() {
    this.#server.on('wsClientError', ({ message }, socket) =>
      refuseHandshake({ code: 'malformed_request', detail: message }, socket),
    );
  }

  /**
   * Undefined where the request is no handshake. Nobody reads the status of a refused handshake in a browser: refusals follow it.
   *
   * @returns the HTTP status that it counts as: 101, or that of its refusal
   */
  take({ request, socket: connection, head }: Upgrade, admit: Admit): number | undefined {
    if (!isHandshake(request)) return undefined;
    let status: number = ERRORS.malformed_request.status;
    this.#server.handleUpgrade(request, connection, head, (socket) => {
      const refusal = admit(askedOf(request), new WebSocketSink(socket, connection));
      if (refusal !== undefined) refuse(socket, refusal);
      status = refusal === undefined ? SWITCHED : ERRORS[refusal.code].status;
    });
    return status;
  }
}

/** Sends the problem document of a failure, and closes by its code. */
function refuse(socket: WebSocket, failure: Failure): void {
  const { headers } = renderProblem(failure);
  const wait = headers['Retry-After'];
  socket.on('error', () => {});
  socket.send(
    JSON.stringify({
      event: 'problem',
      ...(wait !== undefined && { retry_after: Number(wait) }),
      data: problemDocument(failure),
    }),
  );
  socket.close(closeCodeOf(failure.code), failure.code);
}
