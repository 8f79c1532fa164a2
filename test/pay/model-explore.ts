import { vi } from 'vitest';
import { breaches } from './model-rules.ts';
import { settledDown } from './model-steps.ts';
import type { Action, Scenario } from './model-way.ts';
import { type ModelProcess, World } from './model-world.ts';

export interface Run {
  /** The number of possible events at each point. */
  readonly choices: readonly number[];
  readonly story: readonly string[];
  readonly breaches: readonly string[];
}

export interface Exploration {
  readonly runs: number;
  /** The first story that ended in a breach, and what it was. */
  readonly breach: readonly string[] | undefined;
}

const MAX_ACTIONS = 900;
/** A request that waits for another may look so often before something else must happen. */
const MAX_MOMENTS = 4;
/** Longer than any lease of a payment in flight, shorter than the authorization. */
const LAPSE_MS = 130_000;
/** One process does what only one of all does; after this another one may. */
const LEADER_MS = 200_000;
/** Time between two looks of a process. */
const LOOK_MS = 60_000;

/**
 * Every run that departs from the natural order at most `departures` times, at every point and in every way: the order
 * in which two processes, the chain, the reconciler and the buyer take their turns, kills, cuts and lapses of time.
 */
export async function explore(scenario: Scenario, departures: number): Promise<Exploration> {
  let runs = 0;
  const visit = async (
    forced: ReadonlyMap<number, number>,
    from: number,
    left: number,
  ): Promise<Exploration['breach']> => {
    const run = await play(scenario, forced);
    runs++;
    if (run.breaches.length > 0) return [...run.breaches, ...run.story];
    if (left === 0) return undefined;
    for (let at = from; at < run.choices.length; at++) {
      for (let choice = 1; choice < (run.choices[at] ?? 0); choice++) {
        const found = await visit(new Map([...forced, [at, choice]]), at + 1, left - 1);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  };
  return { breach: await visit(new Map(), 0, departures), runs };
}

/** One run: the first possible action at every point, except where another is forced. */
export async function play(scenario: Scenario, forced: ReadonlyMap<number, number>): Promise<Run> {
  const world = new World(scenario);
  const script = new Script(world, scenario);
  const choices: number[] = [];
  const story: string[] = [];
  for (let at = 0; at < MAX_ACTIONS; at++) {
    const actions = script.actions();
    if (actions.length === 0) break;
    choices.push(script.isOver ? 1 : actions.length);
    const action = actions[forced.get(at) ?? 0];
    if (action === undefined) throw new Error('the run is not the same twice');
    story.push(action.name);
    action.take();
    await settledDown();
  }
  vi.clearAllTimers();
  return { choices, story, breaches: await breaches(world, script.mayRepeat) };
}

/**
 * Possible events: two presentations to two processes, in any order; then, when all is quiet, the aftermath: a
 * new process, the leases over, the reconciler, the buyer again.
 */
class Script {
  readonly #world: World;
  readonly #scenario: Scenario;
  readonly #a: ModelProcess;
  readonly #b: ModelProcess;
  #once = new Set<string>();
  #aftermath: Action[] | undefined;
  hadKill = false;
  hadLapse = false;
  #cut = false;
  #hadFault = false;
  #moments = 0;
  /** Its steps come after those of everybody else. */
  #stalled: string | undefined;

  constructor(world: World, scenario: Scenario) {
    this.#world = world;
    this.#scenario = scenario;
    this.#a = world.process('a');
    this.#b = world.process('b');
  }

  /** Nothing more is to be chosen: what follows always happens. */
  get isOver(): boolean {
    return this.#aftermath !== undefined;
  }

  actions(): readonly Action[] {
    this.#stallAsWritten();
    const { waiting } = this.#world.steps;
    const late = waiting.filter(({ actor }) => actor === this.#stalled);
    const steps = [...waiting.filter((step) => !late.includes(step)), ...late].map((step) => ({
      name: `${step.actor}: ${step.name}`,
      take: () => this.#world.steps.take(step),
    }));
    if (this.#aftermath !== undefined) return steps.length > 0 ? steps : this.#next();
    const scripted = this.#scripted();
    const now = steps.slice(0, waiting.length - late.length);
    const all = [...now, ...scripted, ...steps.slice(now.length), ...this.#polls(), ...this.#faults()];
    if (steps.length + scripted.length > 0 || this.#polls().length > 0) return all;
    this.#moments = 0;
    this.#aftermath = this.#after();
    return this.#next();
  }

  #next(): readonly Action[] {
    const [poll] = this.#polls();
    const next = poll ?? this.#aftermath?.shift();
    if (poll === undefined) this.#moments = 0;
    return next === undefined ? [] : [next];
  }

  /** The events in the natural order at some time. */
  #scripted(): readonly Action[] {
    return [
      ...this.#first('buyer asks a', () => this.#present(this.#a)),
      ...this.#first('buyer asks b', () => this.#present(this.#b)),
    ].filter(({ name }) => !this.#world.steps.isDead(name.slice(-1)));
  }

  #faults(): readonly Action[] {
    const { way, steps, clock } = this.#world;
    const waits = steps.waiting.some(({ name }) => name === 'send');
    return [
      ...(way.isWaiting ? [this.#block()] : []),
      ...(this.hadKill ? [] : [this.#killing('a'), this.#killing('b')]),
      ...(waits && !this.#cut ? this.#first('the connection breaks', () => this.#setCut()) : []),
      ...this.#first('leases lapse', () => {
        this.hadLapse = true;
        clock.advance(LAPSE_MS);
      }),
      ...(this.hadKill ? [] : this.#first('a stalls', () => this.#stall('a'))),
      ...this.#first('b reconciles', () => this.#reconcile(this.#b)),
      ...this.#looks(this.#b),
      ...way.events().flatMap(({ name, take }) => this.#first(name, take)),
      ...(this.#scenario.hosts === true ? this.#networkFaults() : []),
    ];
  }

  /** One process may be cut off from the ledger, for good or for an answer. */
  #networkFaults(): readonly Action[] {
    if (this.#hadFault) return [];
    const faults = ['cut', 'deaf', 'lost once'] as const;
    return faults.map((fault) => ({
      name: `network of a: ${fault}`,
      take: () => {
        this.#hadFault = true;
        this.#world.networks.set('a', fault);
      },
    }));
  }

  /** A note of an arrival may be lost: the answer may be had once more. */
  get mayRepeat(): boolean {
    return this.hadKill || this.hadLapse || this.#hadFault;
  }

  #first(name: string, take: () => void): readonly Action[] {
    const mark = (): void => {
      this.#once.add(name);
      take();
    };
    return this.#once.has(name) ? [] : [{ name, take: mark }];
  }

  #killing(actor: string): Action {
    return {
      name: `${actor} is killed`,
      take: () => {
        this.hadKill = true;
        this.#world.kill(actor);
      },
    };
  }

  /** Time passes until a request that waits for another looks again. */
  #polls(): readonly Action[] {
    const once = (): void => {
      this.#moments++;
      vi.advanceTimersByTime(200);
    };
    return vi.getTimerCount() > 0 && this.#moments < MAX_MOMENTS ? [{ name: 'a moment', take: once }] : [];
  }

  /** The first process hangs where the scenario says, for longer than its lease. */
  #stallAsWritten(): void {
    const { stallsAt } = this.#scenario;
    const isThere = this.#world.steps.waiting.some(({ actor, name }) => actor === 'a' && name === stallsAt);
    if (stallsAt === undefined || !isThere || this.#stalled !== undefined) return;
    this.#stall('a');
    this.hadLapse = true;
    this.#world.clock.advance(LAPSE_MS);
  }

  #stall(actor: string): void {
    this.#stalled = actor;
  }

  #setCut(): void {
    this.#cut = true;
  }

  #present(process: ModelProcess): void {
    void this.#world.present(process, () => {
      const cut = this.#cut;
      this.#cut = false;
      return cut;
    });
  }

  #reconcile({ paywall }: ModelProcess): void {
    paywall.reconciler.run().catch((cause: unknown) => this.#world.noteError(cause));
  }

  /** The background round beside the reconciler's, where the way of paying has one. */
  #looks({ actor, watch }: ModelProcess): readonly Action[] {
    if (watch === undefined) return [];
    return this.#first(`${actor} looks at the chain`, () => void watch.look().catch(() => {}));
  }

  #after(): Action[] {
    const { clock, way } = this.#world;
    const c = this.#world.process('c');
    const { watch } = c;
    const look = (): void => void watch?.look().catch(() => {});
    const lapse = { name: 'leases are over', take: () => clock.advance(LAPSE_MS) };
    const looks = watch === undefined ? [] : [this.#block(), { name: 'c looks at the chain', take: look }];
    const round = [
      { name: 'c reconciles', take: () => this.#reconcile(c) },
      ...looks,
      { name: 'buyer asks c', take: () => this.#present(c) },
      { name: 'a little later', take: () => clock.advance(4_000) },
    ];
    const end = [
      { name: 'the buyer has had enough', take: () => this.#world.markServed() },
      { name: 'later', take: () => clock.advance(LEADER_MS) },
      ...looks,
      // A round may find the turn of a process that hangs: the next one, a minute later, does not.
      { name: 'a minute later', take: () => clock.advance(LOOK_MS) },
      ...looks,
      { name: 'it is over', take: () => this.#endAll() },
      ...(way.asksInTheEnd === true ? round : []),
      ...Array.from({ length: 2 }, () => [
        { name: 'c reconciles', take: () => this.#reconcile(c) },
        { name: 'later', take: () => clock.advance(8 * 86_400_000) },
        ...looks,
      ]).flat(),
    ];
    const rounds = Array.from({ length: way.rounds }, () => round).flat();
    return [...(way.isWaiting ? [this.#block()] : []), lapse, ...rounds, ...end];
  }

  #block(): Action {
    return { name: 'a block', take: () => this.#world.way.mine() };
  }

  #endAll(): void {
    const { clock, way } = this.#world;
    clock.advance(900_000);
    way.over?.();
  }
}
