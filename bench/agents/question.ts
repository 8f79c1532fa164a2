import { isWire } from '../../src/domain/read.ts';
import asked from './questions.json' with { type: 'json' };

/** Values that a question names, under the names that parameters have. */
export type Given = Readonly<Record<string, string | number>>;

/** A question of a trader, in words and as a reader would understand them. */
export interface Question {
  readonly id: string;
  readonly ask: string;
  /** Values that the call has to carry. */
  readonly given: Given;
  /** Values that the call may carry; of an answer that has more they name the row. */
  readonly among: Given;
  /** Fields that the answer has to have; one of several names that `|` separates. */
  readonly wants: readonly string[];
  /** The name in `TRUTHS` of the way in which the truth is found, which reads `given` and `among`. */
  readonly truth: string;
  readonly kind: 'number' | 'text' | 'time';
  /** Greatest error of a number, as a fraction; default a hundred-thousandth. */
  readonly within?: number;
  /** Products whose answers hold the answer, each with its place. */
  readonly ways: Readonly<Record<string, string>>;
}

export const QUESTIONS: readonly Question[] = asked.map((question) => {
  const { kind, ways, given, among } = question;
  if (kind !== 'number' && kind !== 'text' && kind !== 'time') throw new Error(`kind ${kind}`);
  return { ...question, kind, given: filled(given), among: filled(among), ways: filled(ways) };
});

/** An object without the members that only other questions have. */
function filled<Value>(of: Readonly<Record<string, Value | undefined>>): Readonly<Record<string, Value>> {
  const entries = Object.entries(of).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(entries);
}

const STEP = /(\w+)|\[(\d+)\]|\[(\w+)=\$(\w+)\]|(#)/g;

/**
 * The value at a place of an answer: `best.venue`, `venues[0].venue`, `items[venue=$venue].basis_bps` for the row that a
 * question names, and `venues#` for the length of a list.
 */
export function readPlace(data: unknown, place: string, { given, among }: Question): unknown {
  let at = data;
  for (const [, name, index, field, value, length] of place.matchAll(STEP)) {
    const list: readonly unknown[] = Array.isArray(at) ? at : [];
    if (name !== undefined) at = isWire(at) ? at[name] : undefined;
    else if (index !== undefined) at = list[Number(index)];
    else if (length !== undefined) at = list.length;
    else {
      const wanted = { ...given, ...among }[value ?? ''];
      at = list.find((row) => isWire(row) && row[field ?? ''] === wanted);
    }
  }
  return at;
}

/** True where an answer is the truth, within the error of a number that was rounded. */
export function isRight({ kind, within = 1e-5 }: Question, answer: unknown, truth: unknown): boolean {
  if (answer === undefined || answer === null) return false;
  if (kind === 'text') return String(answer).toLowerCase() === String(truth).toLowerCase();
  if (kind === 'time') return Date.parse(String(answer)) === Number(truth);
  const off = Math.abs(Number(answer) - Number(truth));
  return off <= Math.max(Math.abs(Number(truth)) * within, 1e-9);
}
