import { useEffect, useState } from 'preact/hooks';
import { serverNow } from '../text/time.ts';
import { callHeaders } from './answers.ts';
import type { StreamRow } from './funding.ts';
import { afterCut, type Streamed } from './live.ts';
import { followRows } from './row-feed.ts';

/** The rows of a stream that has few of them; undefined until they are there. */
export function useRowStream(path: string): Streamed<readonly StreamRow[]> {
  const [live, setLive] = useState<Streamed<readonly StreamRow[]>>();
  useEffect(
    () =>
      followRows({ path, headers: callHeaders() }, (news) => {
        if (news === 'off') setLive('off');
        else if (news === 'cut' || news === 'open') setLive((before) => afterCut(before, news === 'cut'));
        else setLive({ body: [...news.values()], at: serverNow(), isCut: false });
      }),
    [path],
  );
  return live;
}
