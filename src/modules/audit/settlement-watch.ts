import type { FundingPoint } from '../../domain/quote.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { ContractState } from '../../market/contract.ts';
import type { ContractStates } from '../../market/live-table.ts';
import { HOUR_MS, MINUTE_MS } from '../../runtime/duration.ts';
import type { Breaches } from './breaches.ts';
import { hoursOf, timeOf, valueIn } from './contract-memory.ts';
import { missingSettlement, settledElsewhere } from './rules/settled.ts';

/** The rate that is shown so long before a settlement is what is held against the payment, at most so old. */
const SHOWN_MS = 5 * MINUTE_MS;

/** Outcomes of predicted rates since start. */
export interface Outcomes {
  compared: number;
  elsewhere: number;
  /** Sum of the absolute differences, fraction per interval. */
  difference: number;
}

/** Checks what was paid against what was shown, and a venue's payments against each other. */
export class SettlementWatch {
  readonly outcomes: Outcomes = { compared: 0, elsewhere: 0, difference: 0 };
  readonly #venue: VenueId;
  readonly #contracts: ContractStates;
  readonly #breaches: Breaches;
  /** The rate last shown before a settlement, by contract. */
  readonly #shown = new Map<string, { readonly settlement: number; readonly rate: number }>();

  constructor(venue: VenueId, contracts: ContractStates, breaches: Breaches) {
    this.#venue = venue;
    this.#contracts = contracts;
    this.#breaches = breaches;
  }

  /** Notes the rates of contracts that settle within minutes. Once a minute. */
  remember(now: UnixMs): void {
    this.#contracts.each(this.#venue, (state) => {
      if (now - timeOf(state, 'fundingRate') > SHOWN_MS) return;
      const settlement = settlementAfter(state, now);
      // No number where neither it nor the interval is known: nothing is held against a payment then.
      if (!(settlement - now <= SHOWN_MS)) return;
      this.#shown.set(state.instrument.symbol, { settlement, rate: valueIn(state, 'fundingRate') });
    });
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
      const state = this.#contracts.of(this.#venue, symbol);
      if (state === undefined) continue;
      for (const point of list) this.#compare(symbol, point, at);
      this.#complete(
        state,
        list.sort((a, b) => a.time - b.time),
        at,
      );
    }
  }

  #compare(contract: string, point: FundingPoint, at: UnixMs): void {
    const shown = this.#shown.get(contract);
    if (point.observed || shown === undefined || Math.abs(point.time - shown.settlement) > MINUTE_MS) return;
    this.#shown.delete(contract);
    const { outcomes } = this;
    outcomes.compared += 1;
    outcomes.difference += Math.abs(point.rate - shown.rate);
    const about = { rule: 'predicted', venue: this.#venue, field: 'funding_rate', contract };
    if (!settledElsewhere(shown.rate, point.rate)) {
      this.#breaches.holds(about, at);
      return;
    }
    outcomes.elsewhere += 1;
    const evidence = `shown ${shown.rate} right before, paid ${point.rate}`;
    this.#breaches.broken({ ...about, evidence }, at, false);
  }

  #complete(state: ContractState, list: readonly FundingPoint[], at: UnixMs): void {
    const about = {
      rule: 'missing_settlement',
      venue: this.#venue,
      field: 'funding_rate',
      contract: state.instrument.symbol,
    };
    const missing = missingSettlement(list, hoursOf(state));
    if (missing === undefined) {
      if (list.length > 1) this.#breaches.holds(about, at);
      return;
    }
    const evidence = `none at ${new Date(missing).toISOString()}`;
    this.#breaches.broken({ ...about, evidence }, at, false);
  }
}

/** The stated settlement, or the whole interval since 0 UTC where none is stated. */
function settlementAfter(state: ContractState, now: UnixMs): number {
  const next = valueIn(state, 'nextFundingTime');
  if (next >= now) return next;
  const period = hoursOf(state) * HOUR_MS;
  return (Math.floor(now / period) + 1) * period;
}
