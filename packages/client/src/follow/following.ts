import { atomicOf } from '../usd.ts';
import type { FollowEvent, FollowedTopic, Following, FollowOptions } from './options.ts';
import type { FollowParts, FollowState } from './parts.ts';
import { socketMaker } from './socket-maker.ts';

/**
 * Follows a stream. The code for it is loaded with the first event that is asked for.
 *
 * @throws RangeError for a cap that is no amount, TypeError where it is to be read by a WebSocket and there is none
 */
export function following<T extends FollowedTopic>(
  parts: FollowParts,
  options: FollowOptions<T>,
): Following<T> {
  for (const usd of [options.maxUsd, options.maxUsdPerHour]) if (usd !== undefined) atomicOf(usd);
  socketMaker(options);
  const stop = new AbortController();
  const { signal = stop.signal } = options;
  const state: FollowState = {
    rows: { funding: new Map(), touches: new Map(), quotes: new Map(), signals: new Map() },
    stream: options.stream,
    spentUsd: '0',
  };
  const run = async function* (): AsyncGenerator<FollowEvent<T>, void, undefined> {
    const { followPaid } = await import('./follower.ts');
    // The service tells of those topics alone that were asked for.
    yield* followPaid(parts, options, state, AbortSignal.any([signal, stop.signal])) as AsyncGenerator<
      FollowEvent<T>
    >;
  };
  const events = run();
  const ended = <R>(end: () => R): R => {
    // A call that waits for the next event gets the end instead.
    stop.abort();
    return end();
  };
  return Object.defineProperties(
    {
      next: () => events.next(),
      return: () => ended(() => events.return()),
      throw: (cause: unknown) => ended(() => events.throw(cause)),
      [Symbol.asyncIterator]() {
        return this;
      },
    },
    {
      rows: { value: state.rows },
      stream: { get: () => state.stream },
      spentUsd: { get: () => state.spentUsd },
    },
  ) as unknown as Following<T>;
}
