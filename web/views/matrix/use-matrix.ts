import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type {
  FreeMatrixAnswer,
  FundingCurrentAnswer,
  HealthAnswer,
  PreviewFundingCurrentAnswer,
} from '../../../packages/client/src/routes.ts';
import { type Answer, mayPass, type UnpaidCall } from '../../data/answer.ts';
import { ask, callHeaders, isBought, isOperator, usePolling } from '../../data/answers.ts';
import { fundingPage, fundingPages, rowKey } from '../../data/funding.ts';
import { afterCut, afterLook, type Streamed } from '../../data/live.ts';
import type { Reader, Try } from '../../data/reads.ts';
import { serverNow } from '../../text/time.ts';
import { freeRows } from './free-rows.ts';
import type { TimedQuestion } from './matrix-answers.ts';
import { type MatrixQuestion, type MatrixRow, type MatrixView, matrixView } from './matrix-view.ts';
import type { MatrixMessage, MatrixTask } from './matrix-worker.ts';
import { UnpackedLines } from './packed-lines.ts';

/** Address of the worker's program; the build puts it here. */
declare const MATRIX_WORKER: string;

const STREAM = '/v1/stream/rows';
/** A table of more pages than these is not read. */
const MAX_PAGES = 40;
const EVERY_MS = 10_000;
const NONE: ReadonlySet<string> = new Set();
/** The free matrix changes every few minutes. */
const FREE_EVERY_MS = 60_000;

/** The extent of a matrix: all rows, those of some pages, or those that are free. */
interface Extent {
  /** Free, and delayed. */
  readonly isSample: boolean;
  /** The moment that all its rates are of, where they are delayed; ms since 1970. */
  readonly moment?: number;
  /** Calls that the whole table takes. */
  readonly paths: readonly string[];
  /** Those of a table of which others were bought. */
  readonly missing: readonly UnpaidCall[];
}

export type MatrixSource = MatrixView & Extent;

interface Table extends Extent {
  readonly rows: readonly MatrixRow[];
}

/**
 * Pages are read one after the other, and shown as they come; a row that moved between two of them is counted once. Pages
 * of a table that is sold may not have been bought, and one may fail: what is there is shown, with what is not.
 */
async function readTable({ signal, limitMs, tell }: Try<Table>): Promise<Answer<Table>> {
  const first = await ask<FundingCurrentAnswer>(fundingPage(0), signal, limitMs);
  if (first.state !== 'ready') return first;
  const paths = fundingPages(first.body.total).slice(0, MAX_PAGES);
  const rows = new Map(first.body.rates.map((row) => [rowKey(row), row] as const));
  const missing: UnpaidCall[] = [];
  const soFar = () => ({ rows: [...rows.values()], isSample: false, paths, missing: [...missing] });
  for (const [read, path] of paths.entries()) {
    if (read === 0) continue;
    tell({ ...first, body: soFar(), part: { read, of: paths.length } });
    const answer = await ask<FundingCurrentAnswer>(path, signal, limitMs);
    if (mayPass(answer))
      return { ...first, body: soFar(), part: { read, of: paths.length, trouble: answer } };
    if (answer.state === 'unpaid') missing.push(...answer.calls);
    else if (answer.state !== 'ready') return answer;
    else for (const row of answer.body.rates) rows.set(rowKey(row), row);
  }
  return { ...first, body: soFar() };
}

const sampleReader =
  (paths: readonly string[]): Reader<Table> =>
  (once) =>
    readSample(paths, once);

/** The free matrix; five assets, until the service has kept a table that is old enough. */
async function readSample(paths: readonly string[], { signal, limitMs }: Try<Table>): Promise<Answer<Table>> {
  const free = await ask<FreeMatrixAnswer>('/v1/free/matrix', signal, limitMs);
  if (free.state !== 'ready') return free;
  const { as_of: at } = free.body;
  if (at !== null)
    return {
      ...free,
      body: { rows: freeRows(free.body), isSample: true, moment: Date.parse(at), paths, missing: [] },
    };
  const path = '/v1/preview/funding-current';
  const sample = await ask<PreviewFundingCurrentAnswer>(path, signal, limitMs);
  if (sample.state !== 'ready') return sample;
  return { ...sample, body: { rows: sample.body.rates, isSample: true, paths, missing: [] } };
}

/**
 * The shown answer stays until its successor is read: a reader who pays for the table is not to lose sight of
 * it.
 */
function useKept<Body>(answer: Answer<Body>): Answer<Body> {
  const kept = useRef(answer);
  if (answer.state !== 'loading') kept.current = answer;
  return kept.current;
}

const timed = (question: MatrixQuestion): TimedQuestion => ({
  ...question,
  aheadMs: serverNow() - Date.now(),
});

/** The matrix that the worker makes of the stream, made again when the question changes; `off` without a stream. */
function useStreamed(isOn: boolean, question: MatrixQuestion): Streamed<MatrixView> {
  const [live, setLive] = useState<Streamed<MatrixView>>(isOn ? undefined : 'off');
  const worker = useRef<Worker>(undefined);
  useEffect(() => {
    if (!isOn) return;
    const own = new Worker(MATRIX_WORKER, { type: 'module' });
    const words = [''];
    worker.current = own;
    own.addEventListener('message', ({ data }: MessageEvent<MatrixMessage>) => {
      if (data === 'off') setLive('off');
      else if (typeof data === 'string') setLive((before) => afterCut(before, data === 'cut'));
      else {
        words.push(...data.lines.newWords);
        const body = { ...data, lines: new UnpackedLines(data.lines, words) };
        if (data.isOfNewRows) setLive({ body, at: serverNow(), isCut: false });
        else setLive((before) => afterLook(before, body));
      }
    });
    // Its program did not load.
    own.addEventListener('error', () => setLive('off'));
    const feed = { path: STREAM, headers: callHeaders() };
    own.postMessage({ ...timed(question), feed } satisfies MatrixTask);
    return () => own.terminate();
  }, [isOn]);
  useEffect(() => worker.current?.postMessage(timed(question)), [question]);
  return live;
}

/**
 * The matrix of the whole table where it may be read, live on the operator's port; of the free sample where it may not.
 * A table that is for sale is not asked for: the answer would be a price.
 */
export function useMatrix(health: Answer<HealthAnswer>, question: MatrixQuestion): Answer<MatrixSource> {
  const known = health.state === 'ready' ? health.body : undefined;
  const isFree = isOperator || known?.payments.mode === 'off';
  const isReadable = isFree || isBought(fundingPage(0));
  const paths = useMemo(() => fundingPages(known?.rows ?? 0), [Math.ceil((known?.rows ?? 0) / 1000)]);
  const live = useStreamed(isOperator, question);
  const key = isReadable ? 'table' : known === undefined ? undefined : `sample ${paths.length}`;
  const read = isReadable ? readTable : sampleReader(paths);
  const asked = useKept(
    usePolling(live === 'off' ? key : undefined, read, isReadable ? EVERY_MS : FREE_EVERY_MS),
  );
  return useMemo(() => {
    if (live === undefined) return { state: 'loading' };
    if (live !== 'off') {
      const trouble = live.isCut ? { trouble: { state: 'offline' as const } } : {};
      const body = { ...live.body, isSample: false, paths, missing: [] };
      return { state: 'ready', body, at: live.at, asOf: null, bought: false, ...trouble };
    }
    if (asked.state !== 'ready') return asked;
    const { rows, ...rest } = asked.body;
    const { moment } = rest;
    // Rates of the past are judged by the venues of then, which the rows say themselves.
    const then = { ...question, around: { ...question.around, down: NONE } };
    const view = matrixView(rows, moment ?? asked.at, moment === undefined ? question : then);
    return { ...asked, body: { ...rest, ...view } };
  }, [live, asked, paths, question]);
}
