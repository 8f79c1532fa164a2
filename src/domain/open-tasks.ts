/** Counts what is under way, and lets others wait for the end of it. */
export class OpenTasks {
  #open = 0;
  #waiting: (() => void)[] = [];

  /** Tasks that have not ended. */
  get size(): number {
    return this.#open;
  }

  /** Counts a task until it has ended; its failure is reported, and is nobody else's to handle. */
  add(task: Promise<unknown>, failed: (cause: unknown) => void): void {
    this.#open++;
    task.then(this.#end, (cause: unknown) => {
      try {
        failed(cause);
      } finally {
        this.#end();
      }
    });
  }

  /** Resolves when there are none, also of those that were added meanwhile. */
  async none(): Promise<void> {
    while (this.#open > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  readonly #end = (): void => {
    this.#open--;
    if (this.#open > 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  };
}
