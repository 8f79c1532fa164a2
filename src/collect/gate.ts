/** Opens once and stays open. */
export class Gate {
  readonly #opened: Promise<void>;
  #open: () => void = () => {};
  #isOpen = false;

  constructor() {
    this.#opened = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  open(): void {
    this.#isOpen = true;
    this.#open();
  }

  /** Resolves when the gate is open or the signal aborts. */
  async passed(signal: AbortSignal): Promise<void> {
    if (this.#isOpen || signal.aborted) return;
    let stop: () => void = () => {};
    const aborted = new Promise<void>((resolve) => {
      stop = resolve;
      signal.addEventListener('abort', stop, { once: true });
    });
    await Promise.race([this.#opened, aborted]);
    signal.removeEventListener('abort', stop);
  }
}
