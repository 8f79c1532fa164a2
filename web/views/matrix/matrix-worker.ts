/**
 * Follows the whole table in a thread of its own and makes the matrix of it: to read the text of thousands of
 * rows, and to compare them, takes longer than a frame may.
 */
import type { FundingCurrentAnswer } from '../../../packages/client/src/routes.ts';
import type { FeedTask } from '../../data/event-feed.ts';
import { fundingPage, rowKey, type SettledMeans } from '../../data/funding.ts';
import { followRows } from '../../data/row-feed.ts';
import { POLL_LIMIT_MS, within } from '../../data/within.ts';
import { MatrixAnswers, type PackedView, type TimedQuestion } from './matrix-answers.ts';
import { buffersOf } from './packed-lines.ts';

/** The page's first message, sent once. */
export interface MatrixTask extends TimedQuestion {
  readonly feed: FeedTask;
}

export type MatrixMessage = 'off' | 'cut' | 'open' | PackedView;

/** Payments change with the settlements; the service adds them up as often. */
const MEANS_EVERY_MS = 600_000;
/** A page that was opened soon after the service started sees what the back-fill brings. */
const FIRST_MEANS_EVERY_MS = 60_000;
const FIRST_MS = 900_000;
const AGAIN_MS = 10_000;
const MAX_PAGES = 40;

const tell = (news: MatrixMessage, transfer: ArrayBufferLike[] = []): void =>
  postMessage(news, { transfer: transfer as ArrayBuffer[] });

const answers = new MatrixAnswers((view) => tell(view, buffersOf(view.lines)));

/** @returns undefined where it cannot be read */
const readPage = (page: number, { headers }: FeedTask): Promise<FundingCurrentAnswer | undefined> =>
  within(POLL_LIMIT_MS, undefined, async (signal) => {
    const response = await fetch(fundingPage(page), { headers, cache: 'no-cache', signal });
    return response.ok ? ((await response.json()) as FundingCurrentAnswer) : undefined;
  });

/** Payments are no part of the stream. @returns undefined where a page cannot be read */
async function readMeans(task: FeedTask): Promise<ReadonlyMap<string, SettledMeans> | undefined> {
  const read = new Map<string, SettledMeans>();
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await readPage(page, task);
    if (answer === undefined) return undefined;
    const { rates, has_more } = answer;
    for (const row of rates) if (row.settled_means !== undefined) read.set(rowKey(row), row.settled_means);
    if (!has_more) break;
  }
  return read;
}

async function followMeans(task: FeedTask): Promise<void> {
  const read = await readMeans(task).catch(() => undefined);
  if (read !== undefined) answers.takeMeans(read);
  const everyMs = performance.now() < FIRST_MS ? FIRST_MEANS_EVERY_MS : MEANS_EVERY_MS;
  setTimeout(() => void followMeans(task), read === undefined ? AGAIN_MS : everyMs);
}

addEventListener('message', ({ data }: MessageEvent<MatrixTask | TimedQuestion>) => {
  answers.ask(data);
  if (!('feed' in data)) return;
  followRows(data.feed, (news) => (typeof news === 'string' ? tell(news) : answers.takeRows(news)));
  void followMeans(data.feed);
});
