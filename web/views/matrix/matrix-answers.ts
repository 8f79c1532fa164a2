import { type FundingRow, rowKey, type SettledMeans, type StreamRow } from '../../data/funding.ts';
import { gridLines } from './grid-model.ts';
import { kindsOf, type MatrixQuestion, type MatrixView } from './matrix-view.ts';
import { type PackedLines, packLines, WordList } from './packed-lines.ts';

/** A question as it passes to the worker. */
export interface TimedQuestion extends MatrixQuestion {
  /** The service's clock minus this one, ms; the page learns it with its first answers. */
  readonly aheadMs: number;
}

/** The matrix as it passes between threads. */
export interface PackedView extends Omit<MatrixView, 'lines'> {
  readonly lines: PackedLines;
  /**
   * True if it was made because rows came; a question is answered from those that are held, however old they
   * are.
   */
  readonly isOfNewRows: boolean;
}

/** Makes the matrix of what is held, each time that any of it changes. */
export class MatrixAnswers {
  readonly #tell: (view: PackedView) => void;
  readonly #words = new WordList();
  #rows: ReadonlyMap<string, StreamRow> = new Map();
  #means: ReadonlyMap<string, SettledMeans> = new Map();
  #question: TimedQuestion | undefined;

  constructor(tell: (view: PackedView) => void) {
    this.#tell = tell;
  }

  ask(question: TimedQuestion): void {
    this.#question = question;
    this.#answer(false);
  }

  takeRows(rows: ReadonlyMap<string, StreamRow>): void {
    this.#rows = rows;
    this.#answer(true);
  }

  takeMeans(means: ReadonlyMap<string, SettledMeans>): void {
    this.#means = means;
    this.#answer(false);
  }

  #answer(isOfNewRows: boolean): void {
    if (this.#question === undefined || this.#rows.size === 0) return;
    const { query, around, aheadMs } = this.#question;
    const now = { rows: this.#rows.values(), now: Date.now() + aheadMs, meansOf: this.#meansOf };
    const lines = packLines(gridLines(now, query, around), this.#words);
    this.#tell({ query, ...kindsOf(this.#rows.values()), lines, isOfNewRows });
  }

  readonly #meansOf = (row: Pick<FundingRow, 'venue' | 'canonical_id'>): SettledMeans | undefined =>
    this.#means.get(rowKey(row));
}
