import { wait } from './timer.ts';

/** Between two parts: one in every turn of the event loop would hold up a burst of frames. */
const PAUSE_MS = 10;

/** Does work part by part with pauses, so that nobody waits for more than one part. */
export async function inParts<T>(parts: Generator<unknown, T>): Promise<T> {
  for (;;) {
    const { done, value } = parts.next();
    if (done === true) return value;
    await wait(PAUSE_MS);
  }
}

/** Runs the work at each interval, skipping those in which the run before is under way. An error is reported and ends that run only. */
export function repeatInParts(
  parts: () => Generator<unknown>,
  everyMs: number,
  onError: (cause: unknown) => void,
): NodeJS.Timeout {
  let isUnderWay = false;
  const once = async (): Promise<void> => {
    isUnderWay = true;
    try {
      await inParts(parts());
    } catch (cause) {
      onError(cause);
    } finally {
      isUnderWay = false;
    }
  };
  return setInterval(() => {
    if (!isUnderWay) void once();
  }, everyMs);
}
