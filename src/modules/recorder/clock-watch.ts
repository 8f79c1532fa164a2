/** A difference between two clocks that changes by more than this is a step of the wall clock, ms. */
const STEP_MS = 500;

/** Finds steps of the wall clock beside monotonic time. */
export class ClockWatch {
  #offset: number | undefined;

  /** Ms by which the wall clock was set since the last look; undefined where it was not. */
  look(wall: number, mono: number): number | undefined {
    const offset = wall - mono;
    const before = this.#offset ?? offset;
    this.#offset = offset;
    const step = offset - before;
    return Math.abs(step) > STEP_MS ? Math.round(step) : undefined;
  }
}
