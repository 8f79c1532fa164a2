import { expect, it } from 'vitest';
import { soakStream } from './stream-run.ts';

/** A part of what `npm run soak stream` does. */
it('readers that break off, and slow ones: lose nothing unsaid', async () => {
  const { cut, slow } = await soakStream({ seed: 3, readers: 30, reconnects: 120, everyMs: 40 }, false);
  for (const { unsaid, wrong } of [cut, slow]) expect({ unsaid, wrong }).toEqual({ unsaid: 0, wrong: 0 });
  expect(cut.resumed).toBeGreaterThan(0);
  expect(cut.frames).toBeGreaterThan(0);
});
