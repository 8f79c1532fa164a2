/** What tells a program to end in order: Ctrl-C, a process manager, a terminal that was closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const LOOK_MS = 200;

/** Why a program ends: a signal, or that whoever started it is gone. */
export type Told = (typeof SIGNALS)[number] | 'disconnect' | 'orphaned';

/**
 * Resolves with why this program must end. A second signal must not cut short what the first began: npm passes on a
 * Ctrl-C that the terminal has sent to all. What npm runs it runs under a shell, and a shell that is told to end ends
 * alone: so its end counts as the signal.
 */
export function untilToldToStop(): Promise<Told> {
  return new Promise((told) => {
    for (const signal of SIGNALS) process.on(signal, () => told(signal));
    process.once('disconnect', () => told('disconnect'));
    // The channel may have closed before anybody listened.
    if (process.env.PERPMETER_PARENT !== undefined && !process.connected) told('disconnect');
    if (process.env.npm_command === undefined) return;
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) told('orphaned');
    }, LOOK_MS).unref();
  });
}
