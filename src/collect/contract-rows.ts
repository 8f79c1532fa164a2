import type { Clock } from '../domain/clock.ts';
import type { Contracts } from './contracts.ts';

/**
 * Judges the answers to calls about one contract each. An answer without a row under a success code is a fault where the same
 * contract's had some before, and where the contract is listed, open and no longer new: a new one may have no open interest
 * or payment yet.
 */
export class ContractRows {
  readonly #contracts: Contracts;
  readonly #clock: Clock;
  readonly #answered = new Set<string>();

  constructor(contracts: Contracts, clock: Clock) {
    this.#contracts = contracts;
    this.#clock = clock;
  }

  /** @returns what is wrong with an answer of so many rows */
  judge(symbol: string, rows: number, mayBeEmpty: boolean): string | undefined {
    if (rows > 0) this.#answered.add(symbol);
    if (rows > 0 || mayBeEmpty) return undefined;
    if (this.#answered.has(symbol)) return 'no row, though there were some before';
    const isOld = this.#contracts.isEstablished(symbol, this.#clock.now());
    return isOld ? 'no row of a contract that is open' : undefined;
  }

  /** A symbol that comes again after it was gone is another contract. */
  keepOnly(symbols: ReadonlySet<string>): void {
    for (const symbol of this.#answered) if (!symbols.has(symbol)) this.#answered.delete(symbol);
  }
}
