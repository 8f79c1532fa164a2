const HUNG_MS = 240_000;

/** Waits until something holds, outside a test runner; what never comes is an error. */
export async function until(holds: () => boolean, everyMs = 20): Promise<void> {
  const began = Date.now();
  while (!holds()) {
    if (Date.now() - began > HUNG_MS) throw new Error('what was waited for did not come');
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
