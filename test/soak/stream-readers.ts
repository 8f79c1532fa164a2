/** Readers of a stream in a process of their own: takes its task from its parent, and tells it what they saw. */
import { once } from 'node:events';
import { type FinalRows, type ReadersTask, runReaders } from './stream-run.ts';

const [task] = (await once(process, 'message')) as [ReadersTask];
const seen = await runReaders(task, async () => {
  process.send?.('done');
  const [final] = (await once(process, 'message')) as [FinalRows];
  return final;
});
process.send?.(seen);
