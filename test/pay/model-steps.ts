import type { Clock } from '../../src/domain/clock.ts';
import { Histories } from './model-state.ts';

/** Something that waits for its turn: an answer of a disk, a node, a facilitator or a connection. */
export interface Step {
  readonly actor: string;
  readonly name: string;
  readonly take: () => void;
}

/**
 * All input and output of a run, one step at a time: no step happens before it is chosen, and a killed process
 * never learns the outcome of its pending calls.
 */
export class Steps {
  /** All that each process has learned: it decides what the process does next. */
  readonly histories: Histories;
  readonly #waiting: Step[] = [];
  readonly #dead = new Set<string>();

  constructor(clock: Clock) {
    this.histories = new Histories(clock);
  }

  /** The effect and its answer happen together, when chosen. */
  wait<T>(actor: string, name: string, effect: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const learn = (value: T): void => {
        this.histories.note(actor, name, value);
        resolve(value);
      };
      const fail = (cause: unknown): void => {
        this.histories.note(actor, name, String(cause));
        reject(cause);
      };
      const take = (): void => {
        Promise.resolve().then(effect).then(learn, fail);
      };
      if (!this.#dead.has(actor)) this.#waiting.push({ actor, name, take });
    });
  }

  get waiting(): readonly Step[] {
    return this.#waiting;
  }

  take(step: Step): void {
    this.#waiting.splice(this.#waiting.indexOf(step), 1);
    step.take();
  }

  /** Those that are alive, and those that may go on although they are dead, while a timer runs. */
  get dead(): readonly string[] {
    return [...this.#dead];
  }

  isDead(actor: string): boolean {
    return this.#dead.has(actor);
  }

  /** Its pending calls are lost: each has either happened before, or does not happen. */
  kill(actor: string): void {
    this.#dead.add(actor);
    for (const step of this.#waiting.filter((waiting) => waiting.actor === actor)) {
      this.#waiting.splice(this.#waiting.indexOf(step), 1);
    }
  }
}

/** Everything that could go on without a step has gone on. */
export function settledDown(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
