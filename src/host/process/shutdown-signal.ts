/** Signals of an orderly shutdown: Ctrl-C, a process manager, a closed terminal. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const POLL_MS = 200;

/** The cause of a program's end: a signal, or the end of its parent. */
export type ShutdownSignal = (typeof SIGNALS)[number] | 'disconnect' | 'orphaned';

/**
 * Resolves with why this program must end. A second signal must not cut short the shutdown: npm passes on a Ctrl-C that
 * the terminal has sent to all. npm runs its scripts under a shell, and a shell passes no signal on: its end counts as
 * the signal.
 */
export function untilShutdownSignal(): Promise<ShutdownSignal> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.on(signal, () => resolve(signal));
    process.once('disconnect', () => resolve('disconnect'));
    // The channel may have closed before anybody listened.
    if (process.env.PERPMETER_PARENT !== undefined && !process.connected) resolve('disconnect');
    if (process.env.npm_command === undefined) return;
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) resolve('orphaned');
    }, POLL_MS).unref();
  });
}
