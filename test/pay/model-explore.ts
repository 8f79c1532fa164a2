import { vi } from 'vitest';
import { breaches } from './model-rules.ts';
import { Script } from './model-script.ts';
import type { Marks } from './model-state.ts';
import { settledDown } from './model-steps.ts';
import type { Scenario } from './model-way.ts';
import { World } from './model-world.ts';

export interface Exploration {
  readonly runs: number;
  /** The first story that ended in a breach, and what it was. */
  readonly breach: readonly string[] | undefined;
}

export interface ExploreOptions {
  /** Each run is played to its end, whether it comes to a known state or not. */
  readonly isWhole?: boolean;
  /** Told of each run that was played to its end; without it the first breach ends all. */
  readonly ended?: (state: string, breaches: readonly string[]) => void;
}

/** A run as it departs from the one before it. */
interface Course {
  /** The choice at each point where it departs from the natural order. */
  readonly forced: ReadonlyMap<number, number>;
  /** The point behind the last of them. */
  readonly from: number;
  /** Histories at the point before, as the run before it has them; undefined: there is none. */
  readonly marks: Marks | undefined;
  /** So often may a run behind it depart. */
  readonly left: number;
}

interface Run {
  /** The number of possible events at each point. */
  readonly choices: readonly number[];
  readonly marks: readonly Marks[];
  readonly story: readonly string[];
  readonly breaches: readonly string[];
}

const MAX_ACTIONS = 900;

/**
 * Every run that departs from the natural order at most `departures` times, at every point and in every way: the order
 * in which two processes, the chain, the reconciler and the buyer take their turns, kills, cuts and lapses of time. A run
 * that comes to a state of another one ends there: the same states have the same future, which is explored from the other.
 */
export async function explore(
  scenario: Scenario,
  departures: number,
  options: ExploreOptions = {},
): Promise<Exploration> {
  const { stackTraceLimit } = Error;
  // Networks that fail throw thousands of errors, whose traces nobody reads.
  Error.stackTraceLimit = 0;
  try {
    const explorer = new Explorer(scenario, options);
    const breach = await explorer.visit({ forced: new Map(), from: 0, marks: undefined, left: departures });
    return { breach, runs: explorer.runs };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

class Explorer {
  runs = 0;
  readonly #scenario: Scenario;
  readonly #options: ExploreOptions;
  /** States that runs have come to, with the departures that are explored behind each. */
  readonly #seen = new Map<string, number>();

  constructor(scenario: Scenario, options: ExploreOptions) {
    this.#scenario = scenario;
    this.#options = options;
  }

  async visit(course: Course): Promise<Exploration['breach']> {
    const { forced, from, left } = course;
    const run = await this.#play(course);
    this.runs++;
    if (run.breaches.length > 0 && this.#options.ended === undefined) return [...run.breaches, ...run.story];
    if (left === 0) return undefined;
    for (let at = from; at < run.choices.length; at++) {
      const marks = run.marks[at];
      for (let choice = 1; choice < (run.choices[at] ?? 0); choice++) {
        const departed = new Map([...forced, [at, choice]]);
        const found = await this.visit({ forced: departed, from: at + 1, marks, left: left - 1 });
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  /** One run: the first possible action at every point, except where another is forced. */
  async #play({ forced, from, marks: known, left }: Course): Promise<Run> {
    const world = new World(this.#scenario);
    const { histories } = world.steps;
    const script = new Script(world, this.#scenario);
    const run = { choices: [] as number[], marks: [] as Marks[], story: [] as string[] };
    const state = (): string => JSON.stringify([world.state(), script.state()]);
    if (known !== undefined) histories.pause();
    for (let at = 0; at < MAX_ACTIONS; at++) {
      if (known !== undefined && at === from - 1) histories.resume(known);
      script.look();
      if (at >= from && this.#isKnown(state(), left)) return end({ ...run, breaches: [] });
      const actions = script.actions();
      if (actions.length === 0) break;
      run.choices.push(script.isOver ? 1 : actions.length);
      if (left > 0) run.marks.push(histories.marks());
      const action = actions[forced.get(at) ?? 0];
      if (action === undefined) throw new Error('the run is not the same twice');
      run.story.push(action.name);
      action.take();
      await settledDown();
      script.noteOrder(action.name);
    }
    const found = await breaches(world, script.mayRepeat);
    this.#options.ended?.(state(), found);
    return end({ ...run, breaches: found });
  }

  /** True if a run has come to this state from which at least as many departures are explored. */
  #isKnown(state: string, left: number): boolean {
    if (this.#options.isWhole === true) return false;
    const explored = this.#seen.get(state) ?? -1;
    if (explored < left) this.#seen.set(state, left);
    return explored >= left;
  }
}

function end(run: Run): Run {
  vi.clearAllTimers();
  return run;
}
