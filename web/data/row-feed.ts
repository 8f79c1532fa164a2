import { rowKey, type StreamRow } from './funding.ts';
import { EventReader, type ServerEvent } from './server-events.ts';

export interface FeedTask {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Rows as they stand by their keys; `off`: the stream takes no reader now, so that rows have to be asked for; `cut`: the
 * connection broke, and is made again; `open`: it is there.
 */
export type FeedMessage = ReadonlyMap<string, StreamRow> | 'off' | 'cut' | 'open';

/** Longest silence of a connection; the service says something every fifteen seconds. */
const SILENCE_MS = 45_000;
/** A stream that takes no reader is left alone for this long, where it states no time. */
const FULL_MS = 30_000;
const ROWS: ReadonlySet<string> = new Set(['snapshot', 'change', 'conflated']);

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Reads a stream of rows by `fetch`: an `EventSource` cannot carry the operator's token, and an address must not. */
class RowFeed {
  readonly #task: FeedTask;
  readonly #tell: (news: FeedMessage) => void;
  readonly #stop: AbortSignal;
  readonly #events = new EventReader();
  readonly #rows = new Map<string, StreamRow>();

  constructor(task: FeedTask, tell: (news: FeedMessage) => void, stop: AbortSignal) {
    this.#task = task;
    this.#tell = (news) => stop.aborted || tell(news);
    this.#stop = stop;
  }

  async run(): Promise<void> {
    for (let ms = await this.#connect(); ms !== undefined && !this.#stop.aborted; ms = await this.#connect())
      await wait(ms);
  }

  /** Reads one connection to its end. @returns how long to wait before the next, ms; undefined = there is no such stream */
  async #connect(): Promise<number | undefined> {
    const events = this.#events;
    const resume = events.lastId === undefined ? {} : { 'last-event-id': events.lastId };
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), SILENCE_MS);
    try {
      const response = await fetch(this.#task.path, {
        headers: { ...this.#task.headers, ...resume, accept: 'text/event-stream' },
        cache: 'no-store',
        signal: AbortSignal.any([silence.signal, this.#stop]),
      });
      if (!response.ok || response.body === null) return this.#whenFull(response);
      this.#tell('open');
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE_MS);
        for (const event of events.take(read.value)) this.#take(event);
      }
    } catch {
      // It comes back by itself, as after an end.
    } finally {
      clearTimeout(timer);
    }
    events.cut();
    this.#tell('cut');
    return events.retryMs;
  }

  #take({ name, data }: ServerEvent): void {
    if (!ROWS.has(name)) return;
    const { rows, gone = [] } = JSON.parse(data) as { rows: readonly StreamRow[]; gone?: readonly string[] };
    if (name === 'snapshot') this.#rows.clear();
    for (const key of gone) this.#rows.delete(key);
    for (const row of rows) this.#rows.set(rowKey(row), row);
    this.#tell(this.#rows);
  }

  #whenFull({ status, headers }: Response): number | undefined {
    this.#tell('off');
    const seconds = Number(headers.get('retry-after') ?? Number.NaN);
    return status === 503 || status === 429 ? seconds * 1000 || FULL_MS : undefined;
  }
}

/** Follows a stream until it is stopped. */
export function followRows(task: FeedTask, tell: (news: FeedMessage) => void): () => void {
  const stop = new AbortController();
  void new RowFeed(task, tell, stop.signal).run();
  return () => stop.abort();
}
