/** A list that falls below this share of the last one is more likely half an answer than a day of delistings. */
const CREDIBLE_SHARE = 0.5;
/** Of so few rows each one is a large share. */
const FEW_ROWS = 4;
/** A second answer confirms the first where their counts differ by no more than this share. */
const ALIKE_SHARE = 0.2;

/** Rows by part of a list: one part a request. */
export type PartRows = ReadonlyMap<string, number>;

const sum = (parts: PartRows): number => [...parts.values()].reduce((all, rows) => all + rows, 0);

/** True if a count of rows is too small beside the one before to be believed at once. */
export const isSuspiciousDrop = (before: number, now: number): boolean =>
  (before > 0 && now === 0) || (before >= FEW_ROWS && now < before * CREDIBLE_SHARE);

function areAlike(partRows: PartRows, other: PartRows): boolean {
  return [...partRows].every(([part, rows]) => {
    const others = other.get(part) ?? 0;
    return Math.abs(rows - others) <= ALIKE_SHARE * Math.max(rows, others);
  });
}

/**
 * Judges the answers to a list that comes in parts, by the content of the last believed ones. A part that had
 * rows and is empty under a success code, and a part or list that shrinks beyond a share, wait for a second
 * answer that says the same; a part that was always empty is empty on purpose.
 */
export class ListWatch {
  #believed: PartRows = new Map();
  #doubted: PartRows | undefined;

  /** @returns why the list is not believed yet; undefined where it is */
  judge(parts: PartRows): string | undefined {
    const doubt = this.#doubtOf(parts);
    if (doubt !== undefined && (this.#doubted === undefined || !areAlike(this.#doubted, parts))) {
      this.#doubted = parts;
      return doubt;
    }
    this.#believed = parts;
    this.#doubted = undefined;
    return undefined;
  }

  #doubtOf(parts: PartRows): string | undefined {
    for (const [part, before] of this.#believed) {
      const now = parts.get(part);
      if (now === undefined || !isSuspiciousDrop(before, now)) continue;
      return now === 0
        ? `a part of the list that had ${before} rows is empty`
        : `a part of the list has ${now} rows after ${before}`;
    }
    const before = sum(this.#believed);
    const now = sum(parts);
    return isSuspiciousDrop(before, now) ? `the list has ${now} rows after ${before}` : undefined;
  }
}
