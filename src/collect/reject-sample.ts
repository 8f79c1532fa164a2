import { printable } from '../domain/printable.ts';
import { isFault, type Reject } from '../domain/reject.ts';
import type { UnixMs } from '../domain/units.ts';
import { MINUTE_MS } from '../runtime/duration.ts';

/** A payload in which a fault was found, cut short, for mending the decoder. */
export interface RejectSample {
  readonly at: UnixMs;
  /** Call or stream that it came by. */
  readonly source: string;
  readonly reject: Reject;
  /** JSON of the row, else of the payload; ends in … where it was cut. */
  readonly payload: string;
}

const MAX_CHARACTERS = 600;
const MAX_NAME = 120;
/** Values that are looked through for the row of a symbol. */
const MAX_VALUES = 20_000;
/** A venue that is at fault is at fault in every payload: one sample a minute is enough. */
const EVERY_MS = MINUTE_MS;

/** Keeps the last faulty payload of a venue, at most one a minute. */
export class RejectSampler {
  sample: RejectSample | undefined;

  look(rejects: readonly Reject[], source: string, payload: unknown, at: UnixMs): void {
    if (rejects.length === 0) return;
    if (this.sample !== undefined && at - this.sample.at < EVERY_MS) return;
    const reject = rejects.find(isFault);
    if (reject === undefined) return;
    const row = reject.symbol === null ? undefined : rowOf(payload, reject.symbol);
    this.sample = {
      at,
      source,
      reject: shown(reject),
      payload: printable(excerpt(row ?? payload), MAX_CHARACTERS + 1),
    };
  }
}

/** A reject for people: quotes of contracts that are not listed have whatever name the venue sent. */
function shown({ symbol, reason, detail }: Reject): Reject {
  return {
    symbol: symbol === null ? null : printable(symbol, MAX_NAME),
    reason,
    ...(detail !== undefined && { detail: printable(detail, MAX_NAME) }),
  };
}

/** The object that names the symbol in one of its fields. */
function rowOf(payload: unknown, symbol: string): unknown {
  const waiting: unknown[] = [payload];
  for (let seen = 0; seen < MAX_VALUES && waiting.length > 0; seen += 1) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    const inner: readonly unknown[] = Object.values(value);
    if (inner.includes(symbol)) return value;
    for (const one of inner) if (typeof one === 'object' && one !== null) waiting.push(one);
  }
  return undefined;
}

/** The beginning of a value's JSON, without writing the rest. */
function excerpt(value: unknown): string {
  let text = '';
  const write = (part: unknown): boolean => {
    if (text.length >= MAX_CHARACTERS) return false;
    if (typeof part !== 'object' || part === null) {
      text += JSON.stringify(typeof part === 'string' ? part.slice(0, MAX_CHARACTERS) : part) ?? 'undefined';
      return true;
    }
    const isList = Array.isArray(part);
    text += isList ? '[' : '{';
    let isFirst = true;
    for (const name in part) {
      if (!isFirst) text += ',';
      isFirst = false;
      if (!isList) text += `${JSON.stringify(name)}:`;
      if (!write((part as Readonly<Record<string, unknown>>)[name])) return false;
    }
    text += isList ? ']' : '}';
    return true;
  };
  const isWhole = write(value) && text.length <= MAX_CHARACTERS;
  return isWhole ? text : `${text.slice(0, MAX_CHARACTERS)}…`;
}
