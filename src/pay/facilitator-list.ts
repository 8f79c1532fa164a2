import type {
  Facilitator,
  GasReserve,
  SettlementRequest,
  VerifyOptions,
  VerifyOutcome,
} from './facilitator.ts';
import { type SettlementCosts, SettlementMeter } from './settlement-meter.ts';

/** The result of a verification, and the facilitator that made it. */
export interface Verified {
  readonly outcome: VerifyOutcome;
  readonly by: Facilitator;
}

/** `ok`: whether it last answered sensibly, null before the first answer; `resting`: its circuit breaker is open. */
export interface FacilitatorState {
  readonly name: string;
  readonly ok: boolean | null;
  readonly resting: boolean;
}

/**
 * Facilitators in order of preference. The next one is asked where one certainly took nothing on: it does not answer a
 * verification, or turned a settlement away unread. An unknown settlement is never repeated elsewhere.
 */
export class FacilitatorList {
  readonly #all: readonly [Facilitator, ...Facilitator[]];
  readonly #meter: SettlementMeter;

  constructor([first, ...others]: readonly [Facilitator, ...Facilitator[]], meter = new SettlementMeter()) {
    this.#all = [metered(first, meter), ...others.map((other) => metered(other, meter))];
    this.#meter = meter;
  }

  /** The transactions of their settlements since the start. */
  costs(): SettlementCosts {
    return this.#meter.costs;
  }

  /** True if any of them last answered sensibly; undefined while none of them has been asked. */
  get ok(): boolean | undefined {
    if (this.#all.some(({ ok }) => ok === true)) return true;
    return this.#all.every(({ ok }) => ok === undefined) ? undefined : false;
  }

  /** The gas of the one that settles with the operator's key; undefined where none does, or it is not known. */
  get gas(): GasReserve | undefined {
    return this.#all.find(({ gas }) => gas !== undefined)?.gas;
  }

  /** Each as it is at present, in order of preference. */
  states(): readonly FacilitatorState[] {
    return this.#all.map(({ name, ok, isResting = false }) => ({ name, ok: ok ?? null, resting: isResting }));
  }

  /** The word of the first that has one. */
  async verify(request: SettlementRequest, options: VerifyOptions): Promise<Verified> {
    let by = this.#all[0];
    let outcome = await by.verify(request, options);
    for (let i = 1; i < this.#all.length && outcome.kind === 'unavailable'; i++) {
      by = this.#all[i] ?? by;
      outcome = await by.verify(request, options);
    }
    return { by, outcome };
  }

  /** Those who may settle where this one took nothing on, in order. */
  besides(facilitator: Facilitator): Facilitator[] {
    return this.#all.filter((other) => other !== facilitator);
  }

  named(name: string | undefined): Facilitator | undefined {
    return this.#all.find((facilitator) => facilitator.name === name);
  }

  stop(): void {
    for (const facilitator of this.#all) facilitator.stop?.();
  }

  /** Asks all of them whether they are there. */
  async probe(): Promise<void> {
    await Promise.all(this.#all.map((facilitator) => facilitator.probe()));
  }
}

/** The same facilitator, whose settlements are counted. */
const metered = (facilitator: Facilitator, meter: SettlementMeter): Facilitator => ({
  name: facilitator.name,
  get ok() {
    return facilitator.ok;
  },
  get isResting() {
    return facilitator.isResting ?? false;
  },
  get gas() {
    return facilitator.gas;
  },
  verify: (request, options) => facilitator.verify(request, options),
  settle: async (request) => {
    const outcome = await facilitator.settle(request);
    void meter.note(outcome);
    return outcome;
  },
  probe: () => facilitator.probe(),
  stop: () => facilitator.stop?.(),
});
