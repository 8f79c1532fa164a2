import { createWorld } from '@perpmeter/sim/create-world';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../src/domain/instrument.ts';
import { isWire } from '../../src/domain/read.ts';
import type { DecodeContext } from '../../src/venues/adapter.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { pairingsOf, renderRequest } from './sim-run.ts';

const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
const LISTED = '2025-03-04T05:06:07.000Z';
const listedMs = Date.parse(LISTED);
const world = createWorld(1);

/** Venues that state when a contract was listed: the field, how it is written, and what states nothing there. */
const STATED: Readonly<Record<string, readonly [field: string, written: unknown, none: unknown]>> = {
  binance: ['onboardDate', listedMs, 0],
  aster: ['onboardDate', listedMs, 0],
  bybit: ['launchTime', String(listedMs), '0'],
  okx: ['listTime', String(listedMs), ''],
  bitget: ['launchTime', String(listedMs), ''],
  gate: ['launch_time', listedMs / 1000, 0],
  kucoin: ['firstOpenDate', listedMs, null],
  mexc: ['openingTime', listedMs, 0],
  bingx: ['launchTime', listedMs, 0],
  kraken: ['openingDate', LISTED, null],
  deribit: ['creation_timestamp', listedMs, null],
  phemex: ['listTime', listedMs, 0],
  backpack: ['createdAt', '2025-03-04T05:06:07.000000', null],
  paradex: ['open_at', listedMs, 0],
  derive: ['scheduled_activation', listedMs / 1000, 0],
  grvt: ['create_time', `${listedMs}000000`, '0'],
  hibachi: ['marketCreationTimestamp', `${listedMs / 1000}.5`, null],
  extended: ['createdAt', listedMs, null],
  pacifica: ['created_at', listedMs, 0],
};

/** The payload with a field put into every object that has one of the contracts' own. */
function withField(value: unknown, symbols: ReadonlySet<unknown>, field: string, written: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withField(item, symbols, field, written));
  if (!isWire(value)) return value;
  const parts = Object.entries(value).map(([name, part]) => [name, withField(part, symbols, field, written)]);
  const isContract = Object.values(value).some((part) => symbols.has(part));
  return { ...Object.fromEntries(parts), ...(isContract && { [field]: written }) };
}

/** Reads the simulated list of contracts of a venue, after a change of it. */
function listOf(id: string, at: number, change = (payload: unknown): unknown => payload) {
  const pairing = pairingsOf(VENUES, SIM_VENUES, world, at).find(({ adapter }) => adapter.id === id);
  const poll = pairing?.adapter.polls.find(({ kind }) => kind === 'instruments');
  const [request] = poll?.requests({ instruments: [], now: at } as never) ?? [];
  const answer = pairing && request && renderRequest(pairing, world, request, at);
  if (poll === undefined || request === undefined || !answer) throw new Error(`${id} has no list`);
  const context: DecodeContext = { instruments: new Map(), request };
  return poll.call.decode(change(JSON.parse(answer.body)), context);
}

const timesOf = (list: readonly Instrument[]) => new Set(list.map(({ listedAt }) => listedAt));

describe.each(Object.entries(STATED))('when %s listed a contract', (id, [field, written, none]) => {
  const own = listOf(id, AT);
  const symbols = new Set(own.instruments.map(({ symbol }) => symbol));
  const changed = (value: unknown) =>
    listOf(id, AT, (payload) => withField(payload, symbols, field, value)).instruments;

  it('stated in the venue’s unit: read to the second', () => {
    const list = changed(written);
    expect(list.length).toBe(own.instruments.length);
    for (const { listedAt = 0 } of list) expect(Math.floor(listedAt / 1000) * 1000).toBe(listedMs);
  });

  it('nothing stated: unknown, and no fault', () => {
    expect(timesOf(changed(none))).toEqual(new Set([undefined]));
    const { rejects } = listOf(id, AT, (payload) => withField(payload, symbols, field, none));
    expect(rejects.filter(({ detail = '' }) => detail.includes(field))).toEqual([]);
  });

  it('unreadable: unknown, and a fault that names the field', () => {
    const decoded = listOf(id, AT, (payload) => withField(payload, symbols, field, 'soon'));
    expect(timesOf(decoded.instruments)).not.toContain(listedMs);
    expect(decoded.rejects.some(({ detail = '' }) => detail.includes(field))).toBe(true);
  });
});

it.each(VENUES.map(({ id }) => id))('%s: the time of a listing does not move with the list', (id) => {
  const [then, now] = [AT - 3_600_000, AT].map(
    (at) => new Map(listOf(id, at).instruments.map(({ symbol, listedAt }) => [symbol, listedAt])),
  );
  // One that is announced for tomorrow is so every day.
  const passed = [...(now ?? [])].filter(([, listedAt = 0]) => listedAt <= AT);
  for (const [symbol, listedAt] of passed) expect(listedAt).toBe(then?.get(symbol));
  if (STATED[id] === undefined) expect(new Set(now?.values())).toEqual(new Set([undefined]));
});
