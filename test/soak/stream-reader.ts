import { type ClientRequest, get, type IncomingMessage } from 'node:http';

/** A row of a test, which has a key, or of the service. */
interface Row {
  readonly key?: string;
  readonly venue?: string;
  readonly canonical_id?: string;
  readonly at?: number;
}

/** A server-sent event as it came. */
export interface StreamEvent {
  readonly name: string;
  readonly id: string;
  readonly data: {
    readonly reason?: string;
    readonly from?: number;
    readonly to?: number;
    readonly rows?: readonly Row[];
    readonly gone?: readonly string[];
  };
}

const fieldOf = (block: string, name: string): string =>
  block
    .split('\n')
    .filter((line) => line.startsWith(`${name}: `))
    .map((line) => line.slice(name.length + 2))
    .join('\n');

/** Splits what comes into events; comments are none. */
export function eventParser(take: (event: StreamEvent) => void): (text: string) => void {
  let rest = '';
  return (text) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = fieldOf(block, 'data');
      if (data !== '')
        take({ name: fieldOf(block, 'event'), id: fieldOf(block, 'id'), data: JSON.parse(data) });
    }
  };
}

/**
 * A reader of a stream, which holds the service to its word: each event is the next one, or says what it stands
 * for. An event without that is counted as lost or doubled.
 */
export class StreamReader {
  readonly rows = new Map<string, unknown>();
  readonly snapshots = new Map<string, number>();
  readonly latenciesMs: number[] = [];
  conflated = 0;
  resumed = 0;
  refused = 0;
  unsaid = 0;
  closings = 0;
  /** Sequence of the last event; undefined before the first. */
  last: number | undefined;
  #id: string | undefined;
  #request: ClientRequest | undefined;
  #response: IncomingMessage | undefined;
  #openedAt = 0;
  #isFirst = true;

  constructor(
    readonly url: string,
    readonly ended: () => void = () => {},
  ) {}

  /** True from the first event of the present connection on. */
  get hasBegun(): boolean {
    return !this.#isFirst;
  }

  open(): void {
    this.#isFirst = true;
    const headers = {
      accept: 'text/event-stream',
      ...(this.#id !== undefined && { 'last-event-id': this.#id }),
    };
    const request = get(this.url, { agent: false, headers }, (response) => {
      if (response.statusCode !== 200) {
        this.refused += 1;
        response.resume();
        response.once('end', this.ended);
        return;
      }
      this.#response = response;
      this.#openedAt = Date.now();
      let readAt = 0;
      const parse = eventParser((event) => this.#take(event, readAt));
      // The text of all connections is taken in first and read after: a thousand readers must not wait for each
      // other.
      const take = (text: string): void => {
        const at = Date.now();
        setImmediate(() => {
          if (this.#request !== request) return;
          readAt = at;
          parse(text);
        });
      };
      response
        .setEncoding('utf8')
        .on('data', take)
        .once('end', this.ended)
        .once('error', () => {});
    });
    request.once('error', this.ended);
    this.#request = request;
  }

  /** Breaks the connection, as a network does. */
  cut(): void {
    const request = this.#request;
    this.#request = undefined;
    request?.removeListener('error', this.ended);
    request?.on('error', () => {});
    this.#response?.removeListener('end', this.ended);
    request?.destroy();
  }

  pause(): void {
    this.#response?.pause();
  }

  resume(): void {
    this.#response?.resume();
  }

  #take({ name, id, data }: StreamEvent, readAt: number): void {
    if (name === 'closing') {
      this.closings += 1;
      return;
    }
    const sequence = Number(id.split('-')[1]);
    const next = (this.last ?? Number.NaN) + 1;
    if (name === 'snapshot') {
      const reason = data.reason ?? 'none';
      this.snapshots.set(reason, (this.snapshots.get(reason) ?? 0) + 1);
      this.rows.clear();
    } else {
      const isSaid = name === 'conflated' ? data.from === next && data.to === sequence : sequence === next;
      if (!isSaid) this.unsaid += 1;
      if (name === 'conflated') this.conflated += 1;
      else this.#measure(data.rows?.[0]?.at, readAt);
      if (this.#isFirst) this.resumed += 1;
    }
    this.#isFirst = false;
    this.last = sequence;
    this.#id = id;
    for (const row of data.rows ?? []) this.rows.set(row.key ?? `${row.venue} ${row.canonical_id}`, row);
    for (const key of data.gone ?? []) this.rows.delete(key);
  }

  /** An event made before the connection was there came from the ring, not from the row. */
  #measure(madeAt: number | undefined, readAt: number): void {
    if (madeAt !== undefined && madeAt > this.#openedAt) this.latenciesMs.push(readAt - madeAt);
  }
}
