/** A part that falls below this share of the last one is more likely half an answer than a day of delistings. */
const CREDIBLE_SHARE = 0.5;
/** Of so few rows each one is a large share. */
const FEW_ROWS = 4;
/** A second answer confirms the first where their counts differ by no more than this share. */
const ALIKE_SHARE = 0.2;

/** The answer to one request, counted over its pages. */
export interface PartAnswer {
  /** Rows that were read or left out with a reason. */
  readonly rows: number;
  /** Contracts by the currency that they settle in. */
  readonly bySettle: ReadonlyMap<string, number>;
  /** The venue's declaration says that the answer may have no row when all is well. */
  readonly mayBeEmpty: boolean;
}

/** True if a count of rows is too small beside the one before to be believed at once. */
const isSuspiciousDrop = (before: number, now: number): boolean =>
  (before > 0 && now === 0) || (before >= FEW_ROWS && now < before * CREDIBLE_SHARE);

function areAlike({ rows, bySettle }: PartAnswer, other: PartAnswer): boolean {
  return (
    Math.abs(rows - other.rows) <= ALIKE_SHARE * Math.max(rows, other.rows) &&
    bySettle.size === other.bySettle.size &&
    [...bySettle.keys()].every((settle) => other.bySettle.has(settle))
  );
}

/** The difference that makes an answer doubtful beside the one that was believed before it. */
function differenceOf(before: PartAnswer, now: PartAnswer): string | undefined {
  if (isSuspiciousDrop(before.rows, now.rows)) return `${now.rows} rows after ${before.rows}`;
  for (const [settle, contracts] of before.bySettle) {
    if (contracts >= FEW_ROWS && !now.bySettle.has(settle))
      return `no contract settled in ${settle} after ${contracts}`;
  }
  return undefined;
}

/**
 * Judges the answers of a poll part by part, one part a request. A part without a row under a success code is a fault, the
 * first time as well as later and however often, unless the venue's declaration says that it may be empty. A part that
 * shrinks beyond a share, or loses all contracts of one currency, waits for a second answer that says the same.
 */
export class ListWatch {
  readonly #believed = new Map<string, PartAnswer>();
  readonly #doubted = new Map<string, PartAnswer>();

  /** @returns why the part is not believed; undefined where it is */
  judge(name: string, answer: PartAnswer): string | undefined {
    const before = this.#believed.get(name);
    if (answer.rows === 0 && !answer.mayBeEmpty)
      return before === undefined ? 'no row under a success code' : `no row after ${before.rows}`;
    const difference = before === undefined ? undefined : differenceOf(before, answer);
    const doubted = this.#doubted.get(name);
    if (difference !== undefined && (doubted === undefined || !areAlike(doubted, answer))) {
      this.#doubted.set(name, answer);
      return difference;
    }
    this.#believed.set(name, answer);
    this.#doubted.delete(name);
    return undefined;
  }
}
