import { EventReader, type ServerEvent } from './server-events.ts';

export interface FeedTask {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Hears a stream until it is stopped. */
export interface FeedHearer {
  take(event: ServerEvent): void;
  /** `cut`: the connection broke, and is made again; `open`: it is there; `off`: the stream takes no reader now. */
  stands(how: 'cut' | 'open' | 'off'): void;
}

/** Longest silence of a connection; the service says something every fifteen seconds. */
const SILENCE_MS = 45_000;
/** A stream that takes no reader is left alone for this long, where it states no time. */
const FULL_MS = 30_000;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Reads a stream by `fetch`: an `EventSource` cannot carry a token or a secret, and an address must not. */
class EventFeed {
  readonly #task: FeedTask;
  readonly #hearer: FeedHearer;
  readonly #stop: AbortSignal;
  readonly #events = new EventReader();

  constructor(task: FeedTask, hearer: FeedHearer, stop: AbortSignal) {
    this.#task = task;
    this.#hearer = hearer;
    this.#stop = stop;
  }

  async run(): Promise<void> {
    for (let ms = await this.#connect(); ms !== undefined && !this.#stop.aborted; ms = await this.#connect())
      await wait(ms);
  }

  #stands(how: Parameters<FeedHearer['stands']>[0]): void {
    if (!this.#stop.aborted) this.#hearer.stands(how);
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
      this.#stands('open');
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE_MS);
        for (const event of events.take(read.value)) if (!this.#stop.aborted) this.#hearer.take(event);
      }
    } catch {
      // It comes back by itself, as after an end.
    } finally {
      clearTimeout(timer);
    }
    events.cut();
    this.#stands('cut');
    return events.retryMs;
  }

  #whenFull({ status, headers }: Response): number | undefined {
    this.#stands('off');
    const seconds = Number(headers.get('retry-after') ?? Number.NaN);
    return status === 503 || status === 429 ? seconds * 1000 || FULL_MS : undefined;
  }
}

/** Follows a stream until it is stopped. @returns resolves when it has ended: it was stopped, or there is no such stream */
export const followEvents = (task: FeedTask, hearer: FeedHearer, stop: AbortSignal): Promise<void> =>
  new EventFeed(task, hearer, stop).run();
