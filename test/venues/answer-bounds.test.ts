import { createWorld } from '@perpmeter/sim/create-world';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { describe, expect, it } from 'vitest';
import type { QuoteStream, VenueAdapter } from '../../src/venues/adapter.ts';
import { frameBound, pollBound } from '../../src/venues/answer-bound.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { describeRecorded, sessionFrames } from '../books/sessions.ts';
import { pairingsOf, runAdapter } from './sim-run.ts';

const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
const world = createWorld(1);
const pairings = pairingsOf(VENUES, SIM_VENUES, world, AT);

/** Books of so many contracts are asked for. */
const BOOKS = 40;

/** The stream of books as one of quotes is asked for. */
function withBooks(adapter: VenueAdapter): readonly QuoteStream[] {
  const { streams = [], books } = adapter;
  if (books?.stream === undefined) return streams;
  const { topicOf, ...stream } = books.stream;
  const topics: QuoteStream['topics'] = ({ instruments }) => [
    ...new Set(instruments.slice(0, BOOKS).flatMap((instrument) => topicOf(instrument) ?? [])),
  ];
  return [...streams, { ...stream, name: 'books', repeats: true, topics }];
}

describe.each(pairings.map((pairing) => [pairing.adapter.id, pairing] as const))('%s', (_id, pairing) => {
  it('every answer and frame of a usual day: at most a quarter of its bound', () => {
    const streams = withBooks(pairing.adapter);
    const adapter = { ...pairing.adapter, streams };
    const { calls } = runAdapter({ ...pairing, adapter }, world, AT);
    expect(calls.length).toBeGreaterThan(0);
    for (const { name, kind, text } of calls) {
      const bounds = adapter.polls.filter(({ call }) => name.startsWith(`${call.name} `)).map(pollBound);
      const frames = streams.filter((stream) => name === `stream ${stream.name}`).map(frameBound);
      const bound = Math.min(...(kind === 'stream' ? frames : bounds));
      expect(bound, name).toBeLessThan(Number.POSITIVE_INFINITY);
      expect(Buffer.byteLength(text), name).toBeLessThanOrEqual(bound / 4);
    }
  });

  it('every stream says what is normal, below the bound of all', () => {
    for (const stream of withBooks(pairing.adapter)) {
      expect(stream.normalBytes, stream.name).toBeGreaterThan(0);
      expect(frameBound(stream), stream.name).toBeLessThan(frameBound({}));
    }
  });
});

/** Recorded runs of whole frames, by venue. */
const SESSIONS = [
  ['binance', 'binance-usdm-2021-07'],
  ['gate', 'gate-2023-05'],
  ['kraken', 'kraken-futures-2021-07'],
  ['okx', 'okx-2022-05'],
] as const;

describeRecorded('sessions', 'Recorded frames', () => {
  it.each(SESSIONS)('%s: every one has at most a quarter of its bound', (id, session) => {
    const stream = VENUES.find((adapter) => adapter.id === id)?.books?.stream;
    const sizes = sessionFrames(`${session}.jsonl`).map((frame) => Buffer.byteLength(frame));
    expect(sizes.length).toBeGreaterThan(100);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(stream === undefined ? 0 : frameBound(stream) / 4);
  });
});
