import { ADDRESSED_FRAMES } from './frames/addressed.ts';
import { FLAGGED_FRAMES } from './frames/flagged.ts';
import type { EventFrameCase } from './frames/frame-case.ts';
import { PLAIN_FRAMES } from './frames/plain.ts';
import { STREAMED_FRAMES } from './frames/streamed.ts';

/** Frames and answers that are written from the formats, with what they say. */
export const EVENT_FRAMES: readonly EventFrameCase[] = [
  ...STREAMED_FRAMES,
  ...FLAGGED_FRAMES,
  ...PLAIN_FRAMES,
  ...ADDRESSED_FRAMES,
];
