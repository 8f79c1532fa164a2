/**
 * Follows the whole table in a thread of its own and makes the matrix of it: to read the text of thousands of rows, and to
 * compare them, takes longer than a frame may.
 */
import type { FundingCurrentAnswer } from '../../../packages/client/src/routes.ts';
import { type FundingRow, fundingPage, rowKey, type SettledMeans } from '../../data/funding.ts';
import { type FeedTask, followRows, type StreamRow } from '../../data/row-feed.ts';
import { gridLines } from './grid-model.ts';
import { kindsOf, type MatrixQuestion, type MatrixView } from './matrix-view.ts';
import { buffersOf, type PackedLines, packLines, WordList } from './packed-lines.ts';

/** What the page says first, and once. */
export interface MatrixTask extends MatrixQuestion {
  readonly feed: FeedTask;
  /** How far the service's clock is ahead, ms. */
  readonly aheadMs: number;
}

export type MatrixMessage = 'off' | 'cut' | 'open' | PackedView;

/** The matrix as it passes between threads. */
export interface PackedView extends Omit<MatrixView, 'lines'> {
  readonly lines: PackedLines;
}

/** What was paid changes with the settlements; the service adds it up as often. */
const MEANS_EVERY_MS = 600_000;
/** A page that was opened soon after the service started sees what the back-fill brings. */
const FIRST_MEANS_EVERY_MS = 60_000;
const FIRST_MS = 900_000;
const AGAIN_MS = 10_000;
const MAX_PAGES = 40;

const words = new WordList();
let rows: ReadonlyMap<string, StreamRow> = new Map();
let means: ReadonlyMap<string, SettledMeans> = new Map();
let question: MatrixQuestion | undefined;
let aheadMs = 0;

const tell = (news: MatrixMessage, transfer: ArrayBufferLike[] = []): void =>
  postMessage(news, { transfer: transfer as ArrayBuffer[] });

function answer(): void {
  if (question === undefined || rows.size === 0) return;
  const { query, around } = question;
  const now = { rows: rows.values(), now: Date.now() + aheadMs, meansOf };
  const lines = packLines(gridLines(now, query, around), words);
  tell({ query, ...kindsOf(rows.values()), lines }, buffersOf(lines));
}

const meansOf = (row: Pick<FundingRow, 'venue' | 'canonical_id'>): SettledMeans | undefined =>
  means.get(rowKey(row));

/** What was paid is no part of the stream. @returns undefined where a page cannot be read */
async function readMeans({ headers }: FeedTask): Promise<ReadonlyMap<string, SettledMeans> | undefined> {
  const read = new Map<string, SettledMeans>();
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const response = await fetch(fundingPage(page), { headers, cache: 'no-cache' });
    if (!response.ok) return undefined;
    const { rates, has_more } = (await response.json()) as FundingCurrentAnswer;
    for (const row of rates) if (row.settled_means !== undefined) read.set(rowKey(row), row.settled_means);
    if (!has_more) break;
  }
  return read;
}

async function followMeans(task: FeedTask): Promise<void> {
  const read = await readMeans(task).catch(() => undefined);
  if (read !== undefined) means = read;
  answer();
  const everyMs = performance.now() < FIRST_MS ? FIRST_MEANS_EVERY_MS : MEANS_EVERY_MS;
  setTimeout(() => void followMeans(task), read === undefined ? AGAIN_MS : everyMs);
}

addEventListener('message', ({ data }: MessageEvent<MatrixTask | MatrixQuestion>) => {
  question = { query: data.query, around: data.around };
  if (!('feed' in data)) return answer();
  aheadMs = data.aheadMs;
  followRows(data.feed, (news) => {
    if (typeof news === 'string') return tell(news);
    rows = news;
    answer();
  });
  return void followMeans(data.feed);
});
