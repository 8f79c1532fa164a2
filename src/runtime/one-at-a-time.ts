/** Runs a task in its turn. Rejects as the task does. */
export type InTurn = <T>(task: () => Promise<T>) => Promise<T>;

/** A row of tasks: each begins once all that were added before it have ended, in whatever way. */
export function oneAtATime(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const ended = last.then(task);
    last = ended.catch(() => undefined);
    return ended;
  };
}
