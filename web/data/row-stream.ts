import { useEffect, useState } from 'preact/hooks';
import { serverNow } from '../text/time.ts';
import { callHeaders } from './answers.ts';
import { followRows, type StreamRow } from './row-feed.ts';

/** What a stream says as it stands, and when it last changed. */
export interface Live<Body> {
  readonly body: Body;
  readonly at: number;
  /** Whether the connection broke: it is made again, and goes on from where it was. */
  readonly isCut: boolean;
}

/**
 * The state of a stream after its connection broke (`isCut`) or came back; `off` where rows have to be asked for instead.
 */
export function afterCut<Body>(live: Live<Body> | 'off' | undefined, isCut: boolean): typeof live {
  if (live !== undefined && live !== 'off') return { ...live, isCut };
  return isCut ? 'off' : live;
}

/** The rows of a stream that has few of them; undefined until they are there. */
export function useRowStream(path: string): Live<readonly StreamRow[]> | 'off' | undefined {
  const [live, setLive] = useState<Live<readonly StreamRow[]> | 'off'>();
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
