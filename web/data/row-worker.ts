/**
 * Follows a stream of rows in a thread of its own, and tells the page what changed: reading the text of thousands of rows
 * takes longer than a frame may. It reads by `fetch`, since an `EventSource` cannot carry the operator's token, and an
 * address must not.
 */
import type { FundingRow } from './funding.ts';
import { columnsOf, type RowColumns } from './row-columns.ts';
import { EventReader, type ServerEvent } from './server-events.ts';

/** What the page tells first, and once. */
export interface StreamTask {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * `off`: the stream takes no reader now, so that rows have to be asked for; `cut`: the connection broke, and is made
 * again; `open`: it is there.
 */
export type StreamNews =
  | { readonly kind: 'off' | 'cut' | 'open' }
  | {
      readonly kind: 'rows';
      /** Whether these are all rows; otherwise those that changed. */
      readonly isWhole: boolean;
      readonly columns: RowColumns;
      /** Names of rows that are gone, as `rowKey` makes them. */
      readonly gone: readonly string[];
    };

/** Longest silence of a connection; the service says something every fifteen seconds. */
const SILENCE_MS = 45_000;
/** How long a stream that takes no reader is left alone, where it does not say. */
const FULL_MS = 30_000;
const ROWS: ReadonlySet<string> = new Set(['snapshot', 'change', 'conflated']);

const tell = (news: StreamNews): void => postMessage(news);
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function take({ name, data }: ServerEvent): void {
  if (!ROWS.has(name)) return;
  const { rows, gone = [] } = JSON.parse(data) as { rows: readonly FundingRow[]; gone?: readonly string[] };
  tell({ kind: 'rows', isWhole: name === 'snapshot', columns: columnsOf(rows), gone });
}

/** Reads one connection to its end. @returns how long to wait before the next, ms; undefined = there is no such stream */
async function connect({ path, headers }: StreamTask, events: EventReader): Promise<number | undefined> {
  const resume = events.lastId === undefined ? {} : { 'last-event-id': events.lastId };
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await fetch(path, {
      headers: { ...headers, ...resume, accept: 'text/event-stream' },
      cache: 'no-store',
      signal: silence.signal,
    });
    if (!response.ok || response.body === null) return whenFull(response);
    tell({ kind: 'open' });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      for (const event of events.take(read.value)) take(event);
    }
  } catch {
    // It comes back by itself, as after an end.
  } finally {
    clearTimeout(timer);
  }
  events.cut();
  tell({ kind: 'cut' });
  return events.retryMs;
}

function whenFull({ status, headers }: Response): number | undefined {
  tell({ kind: 'off' });
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return status === 503 || status === 429 ? seconds * 1000 || FULL_MS : undefined;
}

async function follow(task: StreamTask): Promise<void> {
  const events = new EventReader();
  for (let ms = await connect(task, events); ms !== undefined; ms = await connect(task, events))
    await wait(ms);
}

addEventListener('message', ({ data }: MessageEvent<StreamTask>) => void follow(data));
