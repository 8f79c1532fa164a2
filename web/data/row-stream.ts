import { useEffect, useState } from 'preact/hooks';
import { serverNow } from '../text/time.ts';
import { callHeaders } from './answers.ts';
import type { FundingRow } from './funding.ts';
import { rowsOf } from './row-columns.ts';
import type { StreamNews, StreamTask } from './row-worker.ts';

/** Address of the worker's program; the build puts it here. */
declare const ROW_WORKER: string;

/** Rows of a stream as they stand, and when they last changed. */
export interface LiveRows {
  readonly rows: readonly FundingRow[];
  readonly at: number;
  /** Whether the connection broke: it is made again, and goes on from where it was. */
  readonly isCut: boolean;
}

const keyOf = ({ venue, canonical_id }: FundingRow): string => `${venue} ${canonical_id}`;

/** Follows a stream until it is stopped. */
function follow(task: StreamTask, tell: (live: LiveRows | 'off') => void): () => void {
  const held = new Map<string, FundingRow>();
  let live: LiveRows | undefined;
  const worker = new Worker(ROW_WORKER, { type: 'module' });
  const say = (isCut: boolean): void => {
    if (live !== undefined) tell({ ...live, isCut });
    else if (isCut) tell('off');
  };
  worker.addEventListener('message', ({ data }: MessageEvent<StreamNews>) => {
    if (data.kind === 'off') tell('off');
    else if (data.kind !== 'rows') say(data.kind === 'cut');
    else {
      if (data.isWhole) held.clear();
      for (const key of data.gone) held.delete(key);
      for (const row of rowsOf(data.columns)) held.set(keyOf(row), row);
      live = { rows: [...held.values()], at: serverNow(), isCut: false };
      tell(live);
    }
  });
  // Its program did not load.
  worker.addEventListener('error', () => tell('off'));
  worker.postMessage(task);
  return () => worker.terminate();
}

/**
 * The rows of a stream.
 * @returns undefined until they are there; `off` where they have to be asked for instead: without a path, and while the
 * stream takes no reader
 */
export function useRowStream(path: string | undefined): LiveRows | 'off' | undefined {
  const headers = callHeaders();
  const [live, setLive] = useState<LiveRows | 'off'>();
  useEffect(() => {
    setLive(undefined);
    return path === undefined ? undefined : follow({ path, headers }, setLive);
  }, [path, headers.authorization]);
  return path === undefined ? 'off' : live;
}
