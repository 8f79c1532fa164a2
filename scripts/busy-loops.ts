import { spawn } from 'node:child_process';
import { once } from 'node:events';

const BUSY_LOOPS = 2;
/** It ends by itself when its parent was killed. */
const LOOP = 'const { ppid } = process; while (process.ppid === ppid);';

/** Runs something beside busy loops, by default one for each of two cores. */
export async function besideBusyLoops<T>(work: () => Promise<T>, count: number = BUSY_LOOPS): Promise<T> {
  const loops = Array.from({ length: count }, () => spawn(process.execPath, ['-e', LOOP]));
  try {
    return await work();
  } finally {
    // Awaited, since the CPU of a child counts from when it is gone.
    const gone = loops.map((loop) => once(loop, 'exit'));
    for (const loop of loops) loop.kill('SIGKILL');
    await Promise.all(gone);
  }
}
