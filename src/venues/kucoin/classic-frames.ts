import type { Decoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { readMs, readNumber, readPrice, readRate, readText, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { putVolume } from '../amounts.ts';
import { addBook, bookStamps } from '../book-message.ts';
import { readOneContract } from '../contract-rows.ts';
import type { ContractUnits } from '../contract-units.ts';
import { addFundingPoint } from '../history-points.ts';
import { keepPatch, need, put } from '../quote-field.ts';
import { readSides } from './book.ts';
import { PUBLISHED } from './published.ts';
import { unitsOf } from './rows.ts';

/** A message of the classic socket: topic `/contractMarket/level2:XBTUSDTM`, subject, data. */
export interface ClassicFrame {
  readonly topic?: unknown;
  readonly subject?: unknown;
  readonly data?: unknown;
}

type Take = (data: Wire, symbol: string, units: ContractUnits, out: Decoded) => void;

/** One changed level a message: `change` is "price,side,size"; sequences follow each other by one. */
const takeChange: Take = (data, symbol, units, out) => {
  const [price, side, size] = (readText(data.change) ?? '').split(',');
  const level = [[price, size]];
  const bought = side === 'buy';
  if (!bought && side !== 'sell') {
    out.rejects.push({ symbol, reason: 'malformed', detail: 'change' });
    return;
  }
  const sides = readSides(bought ? level : [], bought ? [] : level, units);
  const stamps = bookStamps(data.sequence, undefined, data.timestamp);
  const previous = stamps.sequence === undefined ? {} : { previousSequence: stamps.sequence - 1 };
  addBook(out, symbol, 'delta', units, sides, { ...stamps, ...previous });
};

/** `level2Depth5` and `level2Depth50`: the snapshot every 100 ms. */
const takeWhole: Take = (data, symbol, units, out) => {
  const stamps = bookStamps(data.sequence, undefined, data.timestamp);
  addBook(out, symbol, 'snapshot', units, readSides(data.bids, data.asks, units), stamps);
};

/** Mark and index once a second, stamped on the second for which they were computed. */
const takeMarkIndex: Take = (data, symbol, { multiplier }, out) => {
  const patch: QuotePatch = { symbol };
  need(patch, 'markPrice', readPrice(data.markPrice, multiplier), data.markPrice, out.rejects);
  need(patch, 'indexPrice', readPrice(data.indexPrice, multiplier), data.indexPrice, out.rejects);
  put(patch, 'venueTime', readMs(data.timestamp), data.timestamp, out.rejects);
  keepPatch(patch, out.quotes, out.rejects);
};

/** Running rate once a minute; `granularity` is the cadence of the pushes, not the funding interval. */
const takeRate: Take = (data, symbol, _scale, out) => {
  const patch: QuotePatch = { symbol };
  need(patch, 'fundingRate', readRate(data.fundingRate), data.fundingRate, out.rejects);
  keepPatch(patch, out.quotes, out.rejects);
};

/** Volume of 24 hours in coins as named, turnover in the settlement currency. */
const takeStatistics: Take = (data, symbol, units, out) => {
  const patch: QuotePatch = { symbol };
  const traded = { base: data.volume, quote: data.turnover };
  putVolume(patch, PUBLISHED.volume, traded, units, out.rejects);
  keepPatch(patch, out.quotes, out.rejects);
};

/** Best prices after every change; the stamp is the last trade's. */
const takeTouch: Take = (data, symbol, { multiplier }, out) => {
  const { bestBidPrice: bid, bestAskPrice: ask } = data;
  const patch: QuotePatch = { symbol };
  put(patch, 'bestBid', readPrice(bid, multiplier), bid, out.rejects);
  put(patch, 'bestAsk', readPrice(ask, multiplier), ask, out.rejects);
  keepPatch(patch, out.quotes, out.rejects);
};

/** A settlement begins or ends: the rate that is charged. */
const takeSettlement: Take = (data, symbol, _scale, out) =>
  addFundingPoint(out, symbol, data.fundingTime, data.fundingRate);

const SUBJECTS: Readonly<Record<string, Take>> = {
  ticker: takeTouch,
  tickerV2: takeTouch,
  'mark.index.price': takeMarkIndex,
  'funding.rate': takeRate,
  'snapshot.24h': takeStatistics,
  'funding.begin': takeSettlement,
  'funding.end': takeSettlement,
};

function takeOf(topic: string, subject: string | undefined): Take | undefined {
  if (topic.startsWith('/contractMarket/level2Depth')) return takeWhole;
  if (topic.startsWith('/contractMarket/level2')) return takeChange;
  return subject === undefined ? undefined : SUBJECTS[subject];
}

/** Reads a message of the classic socket; the contract is in the data or behind the topic's colon. */
export function takeClassicFrame(
  frame: ClassicFrame,
  data: Wire,
  context: DecodeContext,
  out: Decoded,
): void {
  const topic = readText(frame.topic) ?? '';
  const take = takeOf(topic, readText(frame.subject));
  if (take === undefined) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: `topic ${topic.slice(0, 60)}` });
    return;
  }
  const behind = topic.includes(':') ? topic.slice(topic.indexOf(':') + 1) : undefined;
  // A topic may list several contracts; then only the data can name the one.
  const named = behind === undefined || behind.includes(',') ? undefined : behind;
  readOneContract(readText(data.symbol) ?? named, unitsOf, context, out, (symbol, units) =>
    take(data, symbol, units, out),
  );
}

/** Whether an answer of the socket is a refusal: `{"type":"error","code":404,"data":"…"}`. */
export function isClassicError(frame: Wire): boolean {
  return frame.type === 'error' || (frame.code !== undefined && readNumber(frame.code) !== 200000);
}
