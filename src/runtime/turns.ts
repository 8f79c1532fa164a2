/** Recurring work; a turn that fails is followed by the next. */
export class Turns {
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #onError: (cause: unknown) => void;

  constructor(onError: (cause: unknown) => void) {
    this.#onError = onError;
  }

  every(ms: number, turn: () => void): void {
    const guarded = (): void => {
      try {
        turn();
      } catch (cause) {
        this.#onError(cause);
      }
    };
    this.#timers.push(setInterval(guarded, ms).unref());
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }
}
