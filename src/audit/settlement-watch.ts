import type { FundingPoint } from '../domain/quote.ts';
import type { UnixMs } from '../domain/units.ts';
import { HOUR_MS, MINUTE_MS } from '../runtime/duration.ts';
import type { Breaches } from './breaches.ts';
import { type ContractMemory, RATE } from './contract-memory.ts';
import type { ContractWatch } from './contract-watch.ts';
import { missingSettlement, settledElsewhere } from './laws/settled.ts';

/** The rate that is shown so long before a settlement is what is held against the payment, at most so old. */
const SHOWN_MS = 5 * MINUTE_MS;

/** What became of predicted rates since start. */
export interface Outcomes {
  compared: number;
  elsewhere: number;
  /** Sum of the absolute differences, fraction per interval. */
  difference: number;
}

/** Holds what was paid against what was shown, and a venue's payments against each other. */
export class SettlementWatch {
  readonly outcomes: Outcomes = { compared: 0, elsewhere: 0, difference: 0 };
  readonly #watch: ContractWatch;
  readonly #breaches: Breaches;
  /** The rate last shown before a settlement, by contract. */
  readonly #shown = new Map<string, { readonly settlement: number; readonly rate: number }>();

  constructor(watch: ContractWatch, breaches: Breaches) {
    this.#watch = watch;
    this.#breaches = breaches;
  }

  /** Notes the rates of contracts that settle within minutes. Once a minute. */
  remember(now: UnixMs): void {
    for (const memory of this.#watch.stated(now)) {
      const settlement = settlementAfter(memory, now);
      if (settlement - now > SHOWN_MS || now - memory.statedAt(RATE) > SHOWN_MS) continue;
      this.#shown.set(memory.symbol, { settlement, rate: memory.value(RATE) });
    }
  }

  /** Payments of one payload. */
  take(points: readonly FundingPoint[], at: UnixMs): void {
    const byContract = new Map<string, FundingPoint[]>();
    for (const point of points) {
      const list = byContract.get(point.symbol);
      if (list === undefined) byContract.set(point.symbol, [point]);
      else list.push(point);
    }
    for (const [symbol, list] of byContract) {
      const memory = this.#watch.contracts.get(symbol);
      if (memory === undefined) continue;
      for (const point of list) this.#compare(memory, point, at);
      this.#complete(
        memory,
        list.sort((a, b) => a.time - b.time),
        at,
      );
    }
  }

  #compare(memory: ContractMemory, point: FundingPoint, at: UnixMs): void {
    const shown = this.#shown.get(memory.symbol);
    if (point.observed || shown === undefined || Math.abs(point.time - shown.settlement) > MINUTE_MS) return;
    this.#shown.delete(memory.symbol);
    const { outcomes } = this;
    outcomes.compared += 1;
    outcomes.difference += Math.abs(point.rate - shown.rate);
    const about = {
      ...{ rule: 'predicted', venue: this.#watch.venue, field: 'funding_rate' },
      contract: memory.symbol,
    };
    if (!settledElsewhere(shown.rate, point.rate)) {
      this.#breaches.holds(about, at);
      return;
    }
    outcomes.elsewhere += 1;
    const evidence = `shown ${shown.rate} right before, paid ${point.rate}`;
    this.#breaches.broken({ ...about, evidence }, at, false);
  }

  #complete(memory: ContractMemory, list: readonly FundingPoint[], at: UnixMs): void {
    const about = {
      ...{ rule: 'missing_settlement', venue: this.#watch.venue, field: 'funding_rate' },
      contract: memory.symbol,
    };
    const missing = missingSettlement(list, memory.hours);
    if (missing === undefined) {
      if (list.length > 1) this.#breaches.holds(about, at);
      return;
    }
    const evidence = `none at ${new Date(missing).toISOString()}`;
    this.#breaches.broken({ ...about, evidence }, at, false);
  }
}

/** The stated settlement, or the whole interval since 0 UTC where none is stated. */
function settlementAfter({ next, hours }: ContractMemory, now: UnixMs): number {
  if (next >= now) return next;
  const period = hours * HOUR_MS;
  return (Math.floor(now / period) + 1) * period;
}
