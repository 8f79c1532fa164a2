/** Runs `run` once after `ms`; the returned function cancels it. A dependency, so that tests can own time. */
export type Timer = (ms: number, run: () => void) => () => void;

/** Longest delay that the runtime's timers take. */
const MAX_DELAY_MS = 2_147_483_647;

export const systemTimer: Timer = (ms, run) => {
  const handle = setTimeout(run, Math.min(Math.max(ms, 0), MAX_DELAY_MS));
  return () => clearTimeout(handle);
};

/** Timers by name: one that is set again takes the place of the one before. */
export class NamedTimers<Name extends string> {
  readonly #timer: Timer;
  readonly #cancels = new Map<Name, () => void>();

  constructor(timer: Timer) {
    this.#timer = timer;
  }

  set(name: Name, ms: number, run: () => void): void {
    this.#cancels.get(name)?.();
    this.#cancels.set(name, this.#timer(ms, run));
  }

  clear(): void {
    for (const cancel of this.#cancels.values()) cancel();
    this.#cancels.clear();
  }
}

/** Resolves after `ms`, whatever happens meanwhile. */
export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves after `ms`, or at once when the signal aborts. Never rejects; look at the signal afterwards. */
export function sleep(timer: Timer, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      cancel();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = timer(ms, finish);
    signal.addEventListener('abort', finish, { once: true });
  });
}

/**
 * Resolves with the result of the work, or with undefined where the signal aborts before. The work goes on.
 */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/**
 * Resolves with the result of the work, or, where that takes longer than `ms`, with that of `late`; rejects
 * with either's error. The work goes on, and a failure that comes too late is no unhandled one. Where the end
 * of its time ends the work itself, as an abort or a kill does, the work is awaited as ever, and a timer
 * beside it is all it takes.
 */
export function withTimeout<T, L>(
  work: Promise<T>,
  ms: number,
  late: () => L,
  timer: Timer = systemTimer,
): Promise<T | L> {
  return new Promise((resolve, reject) => {
    const cancel = timer(ms, () => {
      try {
        resolve(late());
      } catch (cause) {
        reject(cause);
      }
    });
    work.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (cause: unknown) => {
        cancel();
        reject(cause);
      },
    );
  });
}
