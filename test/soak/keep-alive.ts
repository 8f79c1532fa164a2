import { connect, type Socket } from 'node:net';

export interface Answered {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

const HEAD_END = '\r\n\r\n';
/** The largest answer takes seconds of a processor, of which a busy machine gives a part. */
const PATIENCE_MS = 240_000;

/** One connection that is kept as long as the server keeps it; requests go out as they are written. */
export class KeepAlive {
  readonly #port: number;
  readonly #host: string;
  #socket: Socket | undefined;
  /** Bytes that belong to no answer. */
  stray = 0;

  constructor(base: string) {
    const { hostname, port } = new URL(base);
    this.#host = hostname;
    this.#port = Number(port);
  }

  /** The answer to one request; undefined where the server closed the connection without one. */
  async ask(request: string, bodyless: boolean): Promise<Answered | undefined> {
    const socket = this.#socket ?? (await this.#open());
    socket.write(request, 'latin1');
    return this.#read(socket, bodyless);
  }

  close(): void {
    this.#socket?.destroy();
  }

  #open(): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: this.#host, port: this.#port, noDelay: true }, () => resolve(socket));
      socket.setTimeout(PATIENCE_MS, () => socket.destroy());
      socket.on('error', reject);
      socket.on('close', () => {
        if (this.#socket === socket) this.#socket = undefined;
      });
      this.#socket = socket;
    });
  }

  #read(socket: Socket, bodyless: boolean): Promise<Answered | undefined> {
    return new Promise((resolve) => {
      let received = Buffer.alloc(0);
      const finish = (answered: Answered | undefined): void => {
        socket.off('data', take);
        socket.off('close', closed);
        if (answered?.headers.get('connection') === 'close') this.#forget(socket);
        resolve(answered);
      };
      const take = (chunk: Buffer): void => {
        received = Buffer.concat([received, chunk]);
        const end = received.indexOf(HEAD_END);
        if (end < 0) return;
        const answered = headOf(received.toString('latin1', 0, end));
        const empty = bodyless || answered.status === 204 || answered.status === 304;
        const length = empty ? 0 : Number(answered.headers.get('content-length') ?? Number.NaN);
        const from = end + HEAD_END.length;
        if (received.length < from + length || Number.isNaN(length)) return;
        // Bytes that could not be read as a request are answered with a body for any method, and that is the
        // last answer.
        if (answered.headers.get('connection') !== 'close') this.stray += received.length - from - length;
        finish({ ...answered, body: received.subarray(from, from + length) });
      };
      const closed = (): void => finish(undefined);
      socket.on('data', take);
      socket.on('close', closed);
      if (socket.destroyed) closed();
    });
  }

  #forget(socket: Socket): void {
    socket.destroy();
    if (this.#socket === socket) this.#socket = undefined;
  }
}

function headOf(head: string): Omit<Answered, 'body'> {
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return { status: Number(first.split(' ')[1]), headers: new Map(headers) };
}
