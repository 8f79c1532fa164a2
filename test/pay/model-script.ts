import { vi } from 'vitest';
import type { ChainWatch } from '../../src/pay/scheme.ts';
import type { Action, Scenario } from './model-way.ts';
import type { ModelProcess, World } from './model-world.ts';

/** A request that waits for another may look so often before something else must happen. */
const MAX_MOMENTS = 4;
/** Longer than any lease of a payment in flight, shorter than the authorization. */
const LAPSE_MS = 130_000;
/** One process does what only one of all does; after this another one may. */
const LEADER_MS = 200_000;
/** Time between two looks of a process. */
const LOOK_MS = 60_000;

/**
 * Possible events: two presentations to two processes, in any order; then, when all is quiet, the aftermath: a
 * new process, the leases over, the reconciler, the buyer again.
 */
export class Script {
  readonly #world: World;
  readonly #scenario: Scenario;
  readonly #a: ModelProcess;
  readonly #b: ModelProcess;
  #once = new Set<string>();
  #aftermath: Action[] | undefined;
  /** Nothing more is to be chosen: what follows always happens. */
  isOver = false;
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

  /**
   * Before each point: begins the aftermath where nothing else is left, and lets go of processes that can do nothing more. A
   * killed one, and in the aftermath each of the first two, goes on by nothing but a step that waits or a timer.
   */
  look(): void {
    this.#stallAsWritten();
    const { steps } = this.#world;
    const isQuiet = steps.waiting.length + this.#scripted().length + this.#polls().length === 0;
    if (!this.isOver && isQuiet) {
      this.isOver = true;
      this.#moments = 0;
    }
    if (vi.getTimerCount() > 0) return;
    for (const actor of ['a', 'b']) if (this.isOver || steps.isDead(actor)) steps.histories.end(actor);
  }

  /** Of timers that fire at one time the one that was set first is the first. */
  noteOrder(name: string): void {
    const { histories } = this.#world.steps;
    if (vi.getTimerCount() === 0) histories.forget('timers');
    else histories.note('timers', name);
  }

  /** Its own state, and the histories of the processes. */
  state(): readonly unknown[] {
    const { histories } = this.#world.steps;
    return [
      ['a', 'b', 'c'].map((actor) => histories.of(actor)),
      histories.of('timers'),
      [...this.#once],
      this.isOver,
      this.#aftermath?.length,
      this.hadKill,
      this.hadLapse,
      this.#cut,
      this.#hadFault,
      this.#moments,
      this.#stalled,
    ];
  }

  actions(): readonly Action[] {
    const { waiting } = this.#world.steps;
    const late = waiting.filter(({ actor }) => actor === this.#stalled);
    const steps = [...waiting.filter((step) => !late.includes(step)), ...late].map((step) => ({
      name: `${step.actor}: ${step.name}`,
      take: () => this.#world.steps.take(step),
    }));
    if (this.isOver) return steps.length > 0 ? steps : this.#next();
    const scripted = this.#scripted();
    const now = steps.slice(0, waiting.length - late.length);
    return [...now, ...scripted, ...steps.slice(now.length), ...this.#polls(), ...this.#faults()];
  }

  #next(): readonly Action[] {
    this.#aftermath ??= this.#after();
    const [poll] = this.#polls();
    const next = poll ?? this.#aftermath.shift();
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
      for (const actor of ['a', 'b', 'c']) this.#world.steps.histories.note(actor, 'a moment');
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

  #reconcile({ actor, paywall }: ModelProcess): void {
    this.#world.steps.histories.note(actor, 'reconciles');
    paywall.reconciler.run().catch((cause: unknown) => this.#world.noteError(cause));
  }

  /** The background round beside the reconciler's, where the way of paying has one. */
  #looks({ actor, watch }: ModelProcess): readonly Action[] {
    if (watch === undefined) return [];
    return this.#first(`${actor} looks at the chain`, () => this.#look(actor, watch));
  }

  #look(actor: string, watch: ChainWatch): void {
    this.#world.steps.histories.note(actor, 'looks');
    watch.look().catch(() => {});
  }

  #after(): Action[] {
    const { clock, way } = this.#world;
    const c = this.#world.process('c');
    const { watch } = c;
    const lapse = { name: 'leases are over', take: () => clock.advance(LAPSE_MS) };
    const looks =
      watch === undefined
        ? []
        : [this.#block(), { name: 'c looks at the chain', take: () => this.#look('c', watch) }];
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
