import { type Pace, tickSlowness } from './pace.ts';
import type { TimerLag } from './timer-lag.ts';
import { setBookStep } from './venues/stepped-book.ts';

export interface PaceOptions {
  readonly pace: Pace;
  readonly lag: Pick<TimerLag, 'start'>;
  /** Steps a second that every book takes at the usual pace. */
  readonly bookRate: number;
  /** Unix ms. */
  readonly now: () => number;
  /** Told why values come more rarely, and when they no longer do. */
  readonly say: (sentence: string) => void;
}

/** Slows the books of the world with its pace from now on, by how late timers of this process are. */
export function keepPace({ pace, lag, bookRate, now, say }: PaceOptions): void {
  lag.start((lagMs) => {
    if (!pace.observe(lagMs)) return;
    setBookStep(now(), Math.max(1, Math.round(1000 / bookRate)) * pace.slowness);
    say(sentenceOf(pace.slowness, lagMs));
  });
}

function sentenceOf(slowness: number, lagMs: number): string {
  if (slowness === 1) return 'the simulated venues are at their usual pace again';
  const ticks = tickSlowness(slowness);
  const books = slowness > ticks ? ` and their books change ${slowness} times slower` : ` slower`;
  return `the machine is busy (timers ${lagMs.toFixed(0)} ms late): the simulated venues tick ${ticks} times${books} than usual`;
}
