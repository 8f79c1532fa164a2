export interface WriteBatchOptions {
  /** Begins all writes that `begin` begins, as one; resolved when they are visible to all. */
  readonly together: (begin: () => void) => Promise<unknown>;
  /** The error by which a failed write is reported. */
  readonly failure: (cause: unknown) => Promise<Error>;
}

/** A write that shares the transaction of others. */
interface Waiting {
  readonly begin: () => Promise<boolean> | undefined;
  readonly resolve: (done: boolean) => void;
  readonly reject: (cause: unknown) => void;
  readonly undone: (() => void) | undefined;
}

/** A write that nobody waits for is begun after this long where no other one took it along. */
const PATIENCE_MS = 10;

/**
 * Begins what it is given at once, where nothing is under way, else together with all else that comes meanwhile: writes that
 * are begun together share one transaction and one flush to disk.
 */
export class WriteBatch {
  readonly #options: WriteBatchOptions;
  #waiting: Waiting[] = [];
  /** Somebody waits for one of those that wait. */
  #isUrgent = false;
  #isScheduled = false;
  #isUnderWay = false;
  #patience: NodeJS.Timeout | undefined;

  constructor(options: WriteBatchOptions) {
    this.#options = options;
  }

  /**
   * The outcome of a write that is begun a little later.
   *
   * @param begin the fate of the write, where it has a condition of its own; else it shares that of all
   * @param undone called first where the write was not made
   */
  add(begin: Waiting['begin'], undone?: () => void): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ begin, resolve, reject, undone });
      this.#hurry();
    });
  }

  /**
   * The same of a write that nobody waits for: it shares the transaction of the next one that somebody does wait for, and is
   * in nobody's way.
   */
  addPatiently(begin: Waiting['begin']): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ begin, resolve, reject, undone: undefined });
      this.#patience ??= setTimeout(() => this.#hurry(), PATIENCE_MS);
    });
  }

  /** Resolved when all that was added is begun and visible, or has failed. */
  async ended(): Promise<void> {
    if (this.#waiting.length > 0) await this.add(() => undefined).catch(() => false);
  }

  #hurry(): void {
    this.#isUrgent = true;
    if (this.#isUnderWay || this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#begin());
  }

  #begin(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
    this.#isUrgent = false;
    this.#isScheduled = false;
    const batch = this.#waiting;
    this.#waiting = [];
    const plain: Waiting[] = [];
    this.#isUnderWay = true;
    const all = this.#options.together(() => {
      for (const write of batch) if (!this.#beginOne(write)) plain.push(write);
    });
    const next = (): void => {
      this.#isUnderWay = false;
      if (this.#isUrgent) this.#begin();
    };
    all.then(next, next);
    all.then(
      () => {
        for (const { resolve } of plain) resolve(true);
      },
      (cause: unknown) => {
        for (const write of plain) this.#fail(write, cause);
      },
    );
  }

  /** False where the write has no fate of its own. One that cannot be begun keeps none of the others. */
  #beginOne(write: Waiting): boolean {
    try {
      const fate = write.begin();
      const { resolve, undone } = write;
      const end =
        undone === undefined
          ? resolve
          : (done: boolean): void => {
              if (!done) undone();
              resolve(done);
            };
      fate?.then(end, (cause: unknown) => this.#fail(write, cause));
      return fate !== undefined;
    } catch (cause) {
      this.#fail(write, cause);
      return true;
    }
  }

  #fail({ reject, undone }: Waiting, cause: unknown): void {
    undone?.();
    this.#options.failure(cause).then(reject, reject);
  }
}
