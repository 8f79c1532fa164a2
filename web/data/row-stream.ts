import { useEffect, useState } from 'preact/hooks';
import { serverNow } from '../text/time.ts';
import { callHeaders } from './answers.ts';
import type { FundingRow } from './funding.ts';

/** Rows of a stream as they stand, and when they last changed. */
export interface LiveRows {
  readonly rows: readonly FundingRow[];
  readonly at: number;
}

/** What a stream tells: `snapshot`, `change` and `conflated` alike. */
interface RowEvent {
  readonly rows: readonly FundingRow[];
  /** Names of rows that are gone, as `keyOf` makes them. */
  readonly gone?: readonly string[];
}

const keyOf = ({ venue, canonical_id }: FundingRow): string => `${venue} ${canonical_id}`;

/** Follows a stream until `stop`; the browser comes back by itself with the id of the last event. */
function follow(path: string, tell: (live: LiveRows | 'off') => void): () => void {
  const held = new Map<string, FundingRow>();
  const source = new EventSource(path);
  const take = (isWhole: boolean) => (event: MessageEvent<string>) => {
    const { rows, gone = [] } = JSON.parse(event.data) as RowEvent;
    if (isWhole) held.clear();
    for (const key of gone) held.delete(key);
    for (const row of rows) held.set(keyOf(row), row);
    tell({ rows: [...held.values()], at: serverNow() });
  };
  source.addEventListener('snapshot', take(true));
  source.addEventListener('change', take(false));
  source.addEventListener('conflated', take(false));
  source.addEventListener('error', () => {
    // Closed for good: all places are taken, or there is no such stream. Whoever broke off tries again by itself.
    if (source.readyState === EventSource.CLOSED) tell('off');
  });
  return () => source.close();
}

/**
 * The rows of a stream.
 * @returns undefined until they are there; `off` where they have to be asked for instead: without a path, where an
 * `EventSource` cannot carry the operator's token, and where the stream does not take another reader
 */
export function useRowStream(path: string | undefined): LiveRows | 'off' | undefined {
  const isPossible = path !== undefined && !('authorization' in callHeaders());
  const [live, setLive] = useState<LiveRows | 'off'>();
  useEffect(() => {
    setLive(undefined);
    return isPossible ? follow(path, setLive) : undefined;
  }, [path, isPossible]);
  return isPossible ? live : 'off';
}
