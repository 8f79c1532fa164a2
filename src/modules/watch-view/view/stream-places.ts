/**
 * Streams of watches over all tabs of this browser: it makes six connections to an origin at most where the service speaks HTTP/1.1,
 * and calls need some.
 */
const PLACES = 3;

/** True while the only stream of a tab that cannot ask the others is open. */
let isTaken = false;

async function alone(run: () => Promise<void>): Promise<void> {
  if (isTaken) return;
  isTaken = true;
  try {
    await run();
  } finally {
    isTaken = false;
  }
}

/** Runs in a free place until it ends; returns at once where none is free. */
export async function inStreamPlace(run: () => Promise<void>): Promise<void> {
  // Pages without a secure address have no locks.
  const { locks } = navigator as { readonly locks?: LockManager };
  if (locks === undefined) return alone(run);
  for (let place = 1; place <= PLACES; place += 1) {
    const isRun = await locks.request(`perpmeter-watch-${place}`, { ifAvailable: true }, async (lock) => {
      if (lock !== null) await run();
      return lock !== null;
    });
    if (isRun) return;
  }
}
