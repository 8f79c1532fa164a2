import { type Http, SECRET_HEADER, type Sent } from './http.ts';
import { problemOf } from './problems.ts';
import { PerpmeterError } from './result.ts';
import type { PreviewFundingCurrentAnswer } from './routes.ts';

/** A row of the stream; named by venue and canonical id. */
export type StreamRow = PreviewFundingCurrentAnswer['rates'][number];

interface Rows {
  readonly id: string;
  /** New and changed rows, whole. */
  readonly rows: readonly StreamRow[];
}

interface Changes extends Rows {
  /** Names of rows that are gone: `binance crypto:BTC`. */
  readonly gone: readonly string[];
}

/** Events of the service's stream; docs/stream.md of the service has the rules. */
export type StreamEvent =
  | (Rows & {
      readonly event: 'snapshot';
      readonly reason: 'start' | 'unknown_id' | 'too_old' | 'behind';
    })
  | (Changes & { readonly event: 'change' })
  /** Several changes as one, because this reader was slow. */
  | (Changes & { readonly event: 'conflated'; readonly from: number; readonly to: number });

export interface StreamOptions {
  readonly signal?: AbortSignal | undefined;
  /** Id of the event to go on after; default: all rows first. */
  readonly lastEventId?: string | undefined;
  /** A connection that is silent for so long, also before its answer, is opened again, ms; default 45,000: the service speaks every 15 s. */
  readonly silentMs?: number | undefined;
}

export const SILENT_MS = 45_000;
const EVENTS = new Set(['snapshot', 'change', 'conflated']);

/** A field of an event. */
export const lineOf = (block: string, name: string): string =>
  block
    .split('\n')
    .filter((line) => line.startsWith(`${name}:`))
    .map((line) => line.slice(name.length + 1).replace(/^ /, ''))
    .join('\n');

/** Blocks of text between empty lines, as they come; ends where nothing comes for too long. */
export async function* blocks(
  response: Response,
  stop: AbortController,
  silentMs: number,
): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const timer = setTimeout(() => stop.abort(), silentMs);
    const chunk = await reader?.read().finally(() => clearTimeout(timer));
    if (chunk === undefined || chunk.done) return;
    const parts = (rest + decoder.decode(chunk.value, { stream: true })).split('\n\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
}

/** A reader goes on after an event, and has the secret of a stream that was paid for. */
interface Reading {
  readonly id: string | undefined;
  readonly secret?: string;
}

/** Asks for the stream; ends where no answer comes for too long. */
export async function ask(
  http: Http,
  url: URL,
  { id, secret }: Reading,
  stop: AbortController,
  silentMs: number,
): Promise<Response | Sent> {
  const headers = {
    Accept: 'text/event-stream',
    ...(id !== undefined && { 'Last-Event-ID': id }),
    ...(secret !== undefined && { [SECRET_HEADER]: secret }),
  };
  const timer = setTimeout(() => stop.abort(), silentMs);
  try {
    const response = await http.open(url, headers, stop.signal);
    if (response.ok) return response;
    const body = new Uint8Array(await response.arrayBuffer());
    const reply = { status: response.status, headers: response.headers, body };
    return { code: response.type === 'opaqueredirect' ? 'redirected' : 'replied', reply };
  } catch (cause) {
    return { code: 'unreachable', cause };
  } finally {
    clearTimeout(timer);
  }
}

/** Opens the stream; what cannot be had for good is thrown. */
async function connect(...asked: Parameters<typeof ask>): Promise<Response | Sent> {
  const sent = await ask(...asked);
  if (sent instanceof Response || !('reply' in sent) || sent.reply === undefined) return sent;
  const { reply } = sent;
  const { status } = reply;
  if (status === 429 || status >= 500) return sent;
  const isRedirect = sent.code === 'redirected' || status < 400;
  throw new PerpmeterError(problemOf(isRedirect ? { code: 'redirected', reply } : reply));
}

/**
 * Events of a stream. A connection that breaks, falls silent or is closed is opened again after the last event.
 * @throws PerpmeterError where the stream cannot be had at all
 */
export async function* follow(
  http: Http,
  url: URL,
  { signal, lastEventId, silentMs = SILENT_MS }: StreamOptions = {},
): AsyncGenerator<StreamEvent, void, undefined> {
  let id = lastEventId;
  let failures = 0;
  while (!signal?.aborted) {
    const stop = new AbortController();
    const end = (): void => stop.abort();
    signal?.addEventListener('abort', end, { once: true });
    let sent: Response | Sent | undefined;
    try {
      sent = await connect(http, url, { id }, stop, silentMs);
      if (sent instanceof Response) {
        for await (const block of blocks(sent, stop, silentMs)) {
          const event = lineOf(block, 'event');
          if (!EVENTS.has(event)) continue;
          failures = 0;
          id = lineOf(block, 'id');
          yield { ...JSON.parse(lineOf(block, 'data')), event, id } as StreamEvent;
        }
      }
    } catch (cause) {
      if (cause instanceof PerpmeterError) throw cause;
      // Broken off: opened again below.
    } finally {
      signal?.removeEventListener('abort', end);
      stop.abort();
    }
    failures += 1;
    const last =
      sent === undefined || sent instanceof Response
        ? ({ code: 'unreachable', cause: undefined } as const)
        : sent;
    // Only its signal ends the stream: a service that asks for more than the longest wait is asked again after that.
    if (!signal?.aborted && !(await http.rest(Math.min(failures, 6), last, signal))) return;
  }
}

/** The rows of a stream as they stand after each of its events, by name. */
export async function* liveRows(
  events: AsyncIterable<StreamEvent>,
): AsyncGenerator<ReadonlyMap<string, StreamRow>, void, undefined> {
  const rows = new Map<string, StreamRow>();
  for await (const event of events) {
    if (event.event === 'snapshot') rows.clear();
    else for (const name of event.gone) rows.delete(name);
    for (const row of event.rows) rows.set(`${row.venue} ${row.canonical_id}`, row);
    yield rows;
  }
}
