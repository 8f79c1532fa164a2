import {
  IncomingMessage,
  ServerResponse,
  STATUS_CODES,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http';
import { Socket } from 'node:net';
import type { FlatHeaders } from './headers.ts';

/** How long the server keeps an idle connection; said in every response. */
export const KEEP_ALIVE_MS = 61_000;

const PERSISTENT = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / 1000}\r\n\r\n`;

/**
 * A whole response as one piece of bytes, made once a second because of its Date. What Node does for every
 * response (checking each header, joining the head, gathering it with the body) is done once for all of them.
 */
export class WireImage {
  readonly status: number;
  readonly headers: FlatHeaders;
  readonly body: Buffer;
  readonly #head: string;
  #second = 0;
  #bytes: Buffer | undefined;

  /** @param headers name, value, name, value; with Content-Length. Throws on what may not stand in a header. */
  constructor(status: number, headers: FlatHeaders, body: Buffer) {
    this.status = status;
    this.headers = headers;
    this.body = body;
    const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`];
    for (let i = 0; i + 1 < headers.length; i += 2)
      lines.push(headerLine(headers[i] ?? '', headers[i + 1] ?? ''));
    this.#head = lines.join('');
  }

  /** The bytes for a persistent HTTP/1.1 connection. */
  bytes(nowMs: number): Buffer {
    const second = Math.floor(nowMs / 1000);
    if (this.#bytes === undefined || second !== this.#second) {
      this.#bytes = Buffer.concat([Buffer.from(this.#head + headEnd(nowMs), 'latin1'), this.body]);
      this.#second = second;
    }
    return this.#bytes;
  }

  /** The same with headers that only this response has. Throws on what may not stand in a header. */
  bytesWith(more: HeaderRecord, nowMs: number): Buffer {
    let head = this.#head;
    for (const name in more) head += headerLine(name, more[name] ?? '');
    head += headEnd(nowMs);
    const bytes = slice(head.length + this.body.length);
    bytes.write(head, 0, 'latin1');
    bytes.set(this.body, head.length);
    return bytes;
  }
}

type HeaderRecord = Readonly<Record<string, string>>;

function headerLine(name: string, value: string): string {
  validateHeaderName(name);
  validateHeaderValue(name, value);
  return `${name}: ${value}\r\n`;
}

let endSecond = Number.NaN;
let end = '';

/** The rest of a head: the time, and that the connection stays. */
function headEnd(nowMs: number): string {
  const second = Math.floor(nowMs / 1000);
  if (second !== endSecond) {
    end = `Date: ${new Date(second * 1000).toUTCString()}\r\n${PERSISTENT}`;
    endSecond = second;
  }
  return end;
}

const SLAB_BYTES = 64 * 1024;
let slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
let taken = 0;

/** Memory for one response, never handed out again: many responses share one allocation, which lives as they do. */
function slice(bytes: number): Buffer {
  if (bytes > SLAB_BYTES / 8) return Buffer.allocUnsafeSlow(bytes);
  if (taken + bytes > SLAB_BYTES) {
    slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
    taken = 0;
  }
  const from = taken;
  taken += bytes;
  return slab.subarray(from, taken);
}

/** What Node's response keeps to itself, and this file relies on: the head as text, and whether it has left. */
interface ResponseState {
  _header: string | null;
  _headerSent: boolean;
}

function stateOf(response: ServerResponse): Partial<ResponseState> {
  return response as unknown as Partial<ResponseState>;
}

/** Whether this version of Node keeps that state as all have so far. */
function isKnownNode(): boolean {
  const { _header, _headerSent } = stateOf(new ServerResponse(new IncomingMessage(new Socket())));
  return _header === null && _headerSent === false;
}

const CAN_WRITE_IMAGES = isKnownNode();

/** Whether the response may leave as its image: a plain GET on a persistent connection whose turn it is. */
function fits(request: IncomingMessage, response: ServerResponse): boolean {
  return (
    CAN_WRITE_IMAGES &&
    request.method === 'GET' &&
    request.httpVersion === '1.1' &&
    response.shouldKeepAlive &&
    !response.headersSent
  );
}

/** What one response has beside its image. */
export interface SendOptions {
  /** Headers that only this response has. */
  readonly more?: HeaderRecord | undefined;
  /**
   * Told once whether the connection took all bytes. Node's own events do not say: a response is finished, and all of
   * it written, also where the write was refused because the client had reset the connection.
   */
  readonly sent?: Sent | undefined;
}

type Sent = (complete: boolean) => void;

/** Sends a whole response, in one write where that is possible. Node leaves the body out by itself for HEAD. */
export function sendImage(
  request: IncomingMessage,
  response: ServerResponse,
  image: WireImage,
  { more, sent }: SendOptions = {},
): void {
  // A pipelined response has no socket before its turn has come.
  const { socket } = response;
  if (socket !== null && fits(request, response)) {
    const state = stateOf(response);
    state._header = image.status.toString();
    state._headerSent = true;
    response.statusCode = image.status;
    const bytes = more === undefined ? image.bytes(Date.now()) : image.bytesWith(more, Date.now());
    socket.write(bytes, sent && written(socket, sent));
    response.end();
    return;
  }
  response.writeHead(image.status, [...image.headers, ...Object.entries(more ?? {}).flat()]);
  if (sent === undefined) response.end(image.body);
  else endTelling(request, response, image.body, sent);
}

/** The callback of a socket's write. One that its destruction cut short is called back without an error. */
function written(socket: Socket, sent: Sent): (cause?: Error | null) => void {
  return (cause) => sent(!cause && !socket.destroyed);
}

/** A pipelined response whose turn never comes is never written, and never closes: its connection does. */
function endTelling({ socket }: IncomingMessage, response: ServerResponse, body: Buffer, sent: Sent): void {
  let isSaid = false;
  const say = (complete: boolean): void => {
    if (isSaid) return;
    isSaid = true;
    socket.off('close', lost);
    sent(complete);
  };
  const lost = (): void => say(false);
  // One for each request that a client has pipelined.
  socket.setMaxListeners(0).once('close', lost);
  if (socket.destroyed) lost();
  response.write(body, (cause) => say(!cause && !socket.destroyed));
  response.end();
}
