import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { timeOf } from '../../host/ledger-records.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import { readAnswer } from './answer-payload.ts';
import type { WireRecord } from './record.ts';
import type { RecordsQuery } from './record-range.ts';
import { RecordingFault, records } from './records.ts';
import { isKind, unknownWords } from './selection.ts';

export interface ShowFlags {
  readonly from?: string;
  readonly to?: string;
  readonly venue?: string;
  readonly kind?: string;
  readonly json?: boolean;
}

const SHORT = 100;

function refuse(text: string): 2 {
  process.stderr.write(`recordings: ${text}\n`);
  return 2;
}

const wordsOf = (text: string | undefined): readonly string[] =>
  (text ?? '').split(',').filter((word) => word !== '');

/** The query that the flags say; a text says what is wrong with them. */
function queryOf(flags: ShowFlags): RecordsQuery | string {
  const from = timeOf(flags.from);
  const to = timeOf(flags.to);
  if (Number.isNaN(from) || Number.isNaN(to))
    return '--from and --to are times as 2026-11-21 or 2026-11-21T10:00:00Z';
  if (from !== undefined && to !== undefined && from >= to) return '--from must be before --to';
  const venues = wordsOf(flags.venue);
  const kinds = wordsOf(flags.kind).filter(isKind);
  if (kinds.length < wordsOf(flags.kind).length)
    return '--kind is made of books, tickers, instruments, history';
  const [unknown] = unknownWords(venues);
  if (unknown !== undefined || venues.some((word) => word === 'all' || isKind(word)))
    return `--venue: ${unknown ?? flags.venue} is no venue`;
  return { from, to, venues, kinds };
}

/**
 * Prints the records of a folder, one a line.
 *
 * @returns exit code: 0 all were printed, 1 a segment is damaged or missing, 2 the flags make no sense
 */
export async function showRecordings(folder: string, flags: ShowFlags): Promise<number> {
  const query = queryOf(flags);
  if (typeof query === 'string') return refuse(query);
  const say = flags.json === true ? asJson : asLine;
  async function* lines(given: RecordsQuery): AsyncGenerator<string> {
    for await (const record of records(folder, given)) yield `${say(record)}\n`;
  }
  try {
    await pipeline(Readable.from(lines(query)), process.stdout, { end: false });
    return 0;
  } catch (cause) {
    // The reader of the output may close it early, as head does.
    if (cause instanceof Error && 'code' in cause && cause.code === 'EPIPE') return 0;
    if (!(cause instanceof RecordingFault)) throw cause;
    process.stderr.write(`recordings: ${reasonOf(cause)}; "recordings verify" reads all\n`);
    return 1;
  }
}

function asLine({ type, line, connection, wall, payload, masked }: WireRecord): string {
  const { venue, kind, stream } = line;
  const from = venue === '' ? stream : `${venue} ${kind} ${stream} ${connection}`;
  const text = `${new Date(wall).toISOString()}  ${from}  ${type}${masked ? ' masked' : ''}`;
  if (type === 'binary') return `${text}  ${payload.length} bytes`;
  return payload.length === 0 ? text : `${text}  ${shortened(type, payload)}`;
}

function shortened(type: WireRecord['type'], payload: Buffer): string {
  if (type !== 'answer') return onOneLine(payload);
  const { request, body } = readAnswer(payload);
  return `${request.status} ${request.method} ${request.path}  ${onOneLine(body)}`;
}

function onOneLine(payload: Buffer): string {
  const text = payload
    .subarray(0, SHORT)
    .toString()
    .replaceAll(/\p{Cc}/gu, ' ');
  return payload.length > SHORT ? `${text}… (${payload.length} bytes)` : text;
}

/** Bytes that are no text are base64: what is printed says all that was recorded. */
function asJson({ type, line, connection, wall, mono, payload, masked }: WireRecord): string {
  const answer = type === 'answer' ? readAnswer(payload) : undefined;
  const bytes = answer?.body ?? payload;
  const isText = type !== 'binary' && isUtf8(bytes);
  return JSON.stringify({
    type,
    at: new Date(wall).toISOString(),
    monoMs: mono,
    venue: line.venue === '' ? null : line.venue,
    kind: line.venue === '' ? null : line.kind,
    stream: line.stream,
    connection,
    masked,
    request: answer?.request,
    [isText ? 'text' : 'base64']: bytes.toString(isText ? 'utf8' : 'base64'),
  });
}
