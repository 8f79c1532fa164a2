import type { Decoded } from '../domain/decoded.ts';
import type { AnnouncedContract, ListReport } from '../domain/list-report.ts';

/** The part of a round's decoded pages that says what is listed beside the contracts that trade. */
type ListPage = Pick<Decoded, 'rejects' | 'announced'>;

interface Round {
  readonly isWhole: boolean;
  readonly halted: readonly string[];
  readonly announced: readonly AnnouncedContract[];
}

/**
 * Tells when a venue's list of contracts is whole: all of its polls, each with every request, were read since it was whole
 * before. So a contract that two whole lists lack was missing from two answers of the venue.
 */
export class ListRounds {
  readonly #polls: ReadonlySet<string>;
  /** Rounds since the last whole list. */
  readonly #rounds = new Map<string, Round>();

  /** @param polls names of the venue's polls of contracts */
  constructor(polls: Iterable<string>) {
    this.#polls = new Set(polls);
  }

  /** Takes the pages of a poll's round. @param isWhole whether all of its requests were answered and believed */
  take(poll: string, isWhole: boolean, pages: readonly ListPage[]): ListReport {
    const halted = pages.flatMap(({ rejects }) =>
      rejects.flatMap(({ symbol, reason }) => (reason === 'not_trading' && symbol !== null ? [symbol] : [])),
    );
    this.#rounds.set(poll, { isWhole, halted, announced: pages.flatMap(({ announced }) => announced ?? []) });
    const rounds = [...this.#polls].map((name) => this.#rounds.get(name));
    const areWhole = rounds.every((round) => round?.isWhole === true);
    const report = {
      isWhole: areWhole,
      halted: rounds.flatMap((round) => round?.halted ?? []),
      announced: rounds.flatMap((round) => round?.announced ?? []),
    };
    if (areWhole) this.#rounds.clear();
    return report;
  }
}
