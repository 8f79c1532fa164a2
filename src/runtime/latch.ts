/** A one-shot latch: opens once and stays open. */
export class Latch {
  readonly #openedPromise: Promise<void>;
  #open: () => void = () => {};
  #isOpen = false;

  constructor() {
    this.#openedPromise = new Promise((resolve) => {
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

  /** Resolves when the latch is open or the signal aborts. */
  async opened(signal: AbortSignal): Promise<void> {
    if (this.#isOpen || signal.aborted) return;
    let stop: () => void = () => {};
    const aborted = new Promise<void>((resolve) => {
      stop = resolve;
      signal.addEventListener('abort', stop, { once: true });
    });
    await Promise.race([this.#openedPromise, aborted]);
    signal.removeEventListener('abort', stop);
  }
}
