import type { Decoded } from '../../domain/decoded.ts';
import { isWire, type Wire, wireArray } from '../../domain/read.ts';
import { errorText } from '../error-text.ts';
import type { RowsOf } from './rows.ts';

/** Extracts the content of an answer; undefined after a reject with the reason. */
export type UnwrapEnvelope = (payload: unknown, out: Decoded) => unknown;

/** The fields around a venue's data. */
export interface Envelope {
  /** Says whether the answer is an error; `code` unless told otherwise. */
  readonly code?: string;
  readonly isSuccess: (code: unknown) => boolean;
  /** `msg` unless told otherwise. */
  readonly message?: string | ((answer: Wire) => unknown);
  /** `data` unless told otherwise. */
  readonly data?: string;
}

/** Adds the reject of an answer that has another form than expected. */
export function rejectShape(out: Decoded, detail: string): undefined {
  out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail });
}

/** Adds the reject of an error answer, also of one that comes with HTTP 200. */
export function rejectError(out: Decoded, code: unknown, message: unknown): undefined {
  out.rejects.push({ symbol: null, reason: 'error_body', detail: errorText(code, message) });
}

/** Opens answers `{ code, msg, data }`; some venues leave out the code of what succeeded. */
export function envelope({
  code = 'code',
  isSuccess,
  message = 'msg',
  data = 'data',
}: Envelope): UnwrapEnvelope {
  const messageOf = typeof message === 'function' ? message : (answer: Wire) => answer[message];
  return (payload, out) => {
    if (!isWire(payload)) return undefined;
    const said = payload[code];
    return said === undefined || isSuccess(said) ? payload[data] : rejectError(out, said, messageOf(payload));
  };
}

/** Opens answers without an envelope, of which errors are objects with a field of their own. */
export function bareAnswer({
  error,
  message,
}: {
  readonly error: string;
  readonly message: string;
}): UnwrapEnvelope {
  return (payload, out) =>
    isWire(payload) && payload[error] !== undefined
      ? rejectError(out, payload[error], payload[message])
      : payload;
}

/** The place of the rows within an answer's data. */
export interface RowsAt {
  /** Field of the list; the data is the list where absent. */
  readonly list?: string;
  /** A field by which one bare row is known. */
  readonly row?: string;
  /** The list is of all contracts: an empty one is a fault of the answer. */
  readonly isComplete?: true;
}

/** Text in the place of an answer is a page of a content network, a proxy or a maintenance, or an answer cut off. */
const rejectAnswer = (out: Decoded, payload: unknown, missing: string): undefined =>
  rejectShape(out, typeof payload === 'string' ? 'no JSON' : missing);

/** The rows of answers: a list, the list under a field, or one row on its own. */
export function rowsIn(open: UnwrapEnvelope, { list, row, isComplete }: RowsAt = {}): RowsOf {
  return (payload, out) => {
    const rejected = out.rejects.length;
    const data = open(payload, out);
    if (out.rejects.length > rejected) return [];
    const found = isWire(data) && list !== undefined ? data[list] : data;
    if (Array.isArray(found) && !(isComplete && found.length === 0)) return found;
    if (isWire(data) && row !== undefined && data[row] !== undefined) return [data];
    rejectAnswer(out, payload, 'no rows');
    return [];
  };
}

/** The one object of an answer, as a list of one. */
export function objectIn(open: UnwrapEnvelope): (payload: unknown, out: Decoded) => readonly Wire[] {
  return (payload, out) => {
    const rejected = out.rejects.length;
    const data = open(payload, out);
    if (isWire(data)) return [data];
    if (out.rejects.length === rejected) rejectAnswer(out, payload, 'no object');
    return [];
  };
}

/** The rows of an answer that lists each of their fields in a column of its own. */
export function columnsIn(open: UnwrapEnvelope, names: readonly string[]): RowsOf {
  return (payload, out) => {
    const rejected = out.rejects.length;
    const data = open(payload, out);
    if (out.rejects.length > rejected) return [];
    const columns = names.map((name) => wireArray(isWire(data) ? data[name] : undefined));
    const [first] = columns;
    if (first !== undefined && columns.every((cells) => cells?.length === first.length))
      return first.map((_, at) => Object.fromEntries(names.map((name, i) => [name, columns[i]?.[at]])));
    rejectShape(out, `columns ${names.join(', ')}`);
    return [];
  };
}
