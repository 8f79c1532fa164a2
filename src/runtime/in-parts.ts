import { wait } from './timer.ts';

/** Between two parts. A socket is read a frame a turn: a part in every turn would hold up a burst of frames. */
const PAUSE_MS = 10;

/** Does work part by part with pauses, so that nobody waits for more than one part. */
export async function inParts<T>(parts: Generator<unknown, T>): Promise<T> {
  for (;;) {
    const { done, value } = parts.next();
    if (done === true) return value;
    await wait(PAUSE_MS);
  }
}

/** Does so at each interval, but for those in which the last time is not done. */
export function repeatInParts(parts: () => Generator<unknown>, everyMs: number): NodeJS.Timeout {
  let isUnderWay = false;
  const once = async (): Promise<void> => {
    isUnderWay = true;
    await inParts(parts());
    isUnderWay = false;
  };
  return setInterval(() => {
    if (!isUnderWay) void once();
  }, everyMs);
}
