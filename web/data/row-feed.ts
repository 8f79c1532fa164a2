import { type FeedTask, followEvents } from './event-feed.ts';
import { rowKey, type StreamRow } from './funding.ts';
import type { ServerEvent } from './server-events.ts';

/**
 * Rows as they stand by their keys; `off`: the stream takes no reader now, so that rows have to be asked for; `cut`: the
 * connection broke, and is made again; `open`: it is there.
 */
export type FeedMessage = ReadonlyMap<string, StreamRow> | 'off' | 'cut' | 'open';

const ROWS: ReadonlySet<string> = new Set(['snapshot', 'change', 'conflated']);

/** Changes rows by an event. @returns false where it is none of rows */
function apply(known: Map<string, StreamRow>, { name, data }: ServerEvent): boolean {
  if (!ROWS.has(name)) return false;
  const { rows, gone = [] } = JSON.parse(data) as { rows: readonly StreamRow[]; gone?: readonly string[] };
  if (name === 'snapshot') known.clear();
  for (const key of gone) known.delete(key);
  for (const row of rows) known.set(rowKey(row), row);
  return true;
}

/** Follows a stream of rows until it is stopped. */
export function followRows(task: FeedTask, tell: (news: FeedMessage) => void): () => void {
  const stop = new AbortController();
  const rows = new Map<string, StreamRow>();
  const take = (event: ServerEvent): void => {
    if (apply(rows, event)) tell(rows);
  };
  void followEvents(task, { take, stands: tell }, stop.signal);
  return () => stop.abort();
}
