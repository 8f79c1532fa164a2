import {
  type IncomingMessage,
  type ServerResponse,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http';
import type { FlatHeaders } from './headers.ts';

/** The time for which the server keeps an idle connection; every response states it. */
export const KEEP_ALIVE_MS = 61_000;

/** So much text is written in one piece with its head; more would be copied for longer than that saves. */
const MAX_TEXT_LENGTH = 8 * 1024;

/** A pre-encoded response, made once and sent to many. */
export class EncodedResponse {
  readonly status: number;
  readonly headers: FlatHeaders;
  readonly body: Buffer;
  #text: string | undefined;

  /** @param headers name, value, name, value; with Content-Length. Throws on what may not stand in a header. */
  constructor(status: number, headers: FlatHeaders, body: Buffer) {
    this.status = status;
    this.headers = headers;
    this.body = body;
    for (let i = 0; i + 1 < headers.length; i += 2) {
      const name = headers[i] ?? '';
      validateHeaderName(name);
      validateHeaderValue(name, headers[i + 1] ?? '');
    }
  }

  /** The body, to be written as Latin-1. Node writes a string and the head before it at once, bytes apart from it. */
  get chunk(): string | Buffer {
    if (this.body.length > MAX_TEXT_LENGTH) return this.body;
    // Each byte is one character, whatever it means.
    this.#text ??= this.body.toString('latin1');
    return this.#text;
  }
}

type HeaderRecord = Readonly<Record<string, string>>;

/** Properties of one response besides the shared bytes. */
export interface SendOptions {
  /** Headers that only this response has. */
  readonly more?: HeaderRecord | undefined;
  /**
   * Called once with whether the connection took all bytes. Node's own events do not say: a response is finished,
   * and all of it written, also where the write was refused because the client had reset the connection.
   */
  readonly sent?: Sent | undefined;
}

type Sent = (complete: boolean) => void;

/** Sends a whole response. Node leaves the body out by itself for HEAD. Throws on what may not stand in a header. */
export function sendEncoded(
  request: IncomingMessage,
  response: ServerResponse,
  image: EncodedResponse,
  { more, sent }: SendOptions = {},
): void {
  const headers = more === undefined ? image.headers : [...image.headers, ...Object.entries(more).flat()];
  response.writeHead(image.status, headers as string[]);
  const { chunk } = image;
  if (sent === undefined && typeof chunk !== 'string') {
    response.end(chunk);
    return;
  }
  // `end` adds an empty piece to what it is given, and two pieces take a vectored write, which costs more.
  response.cork();
  response.write(chunk, 'latin1', sent && reportOf(request, sent));
  response.uncork();
  response.end();
}

/** A pipelined response whose turn never comes is never written, and never closes: its connection does. */
function reportOf({ socket }: IncomingMessage, sent: Sent): (cause?: Error | null) => void {
  let isReported = false;
  const report = (complete: boolean): void => {
    if (isReported) return;
    isReported = true;
    socket.off('close', lost);
    sent(complete);
  };
  const lost = (): void => report(false);
  // One for each request that a client has pipelined.
  socket.setMaxListeners(0).once('close', lost);
  if (socket.destroyed) lost();
  return (cause) => report(!cause && !socket.destroyed);
}
