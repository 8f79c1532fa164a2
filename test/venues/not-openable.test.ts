import { createWorld } from '@perpmeter/sim/create-world';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { describe, expect, it } from 'vitest';
import { isWire } from '../../src/domain/read.ts';
import { isFault } from '../../src/domain/reject.ts';
import { KNOWN_VENUES, VENUES } from '../../src/venues/registry.ts';
import { thinned } from './relisted-world.ts';
import { pairingsOf, runAdapter } from './sim-run.ts';

const AT = Date.UTC(2026, 9, 20, 13, 5, 0);
const AHEAD = AT + 3 * 86_400_000;
const world = thinned(createWorld(1));

/**
 * The venue's marks on the row of a contract that trades, so that nobody can open it; by its documents and
 * public readers.
 */
const STATES: Readonly<Record<string, readonly object[]>> = {
  apex: [
    { enableTrade: false },
    { enableDisplay: false },
    { enableOpenPosition: false },
    { isPrelaunch: true },
    { disableOpenPositionTime: AT - 1 },
    { disableOpenPositionTime: AT / 1000 - 1 },
  ],
  aster: [{ status: 'PENDING_TRADING' }, { status: 'SETTLING' }, { status: 'BREAK' }],
  backpack: [
    { orderBookState: 'Closed' },
    { orderBookState: 'CancelOnly' },
    { orderBookState: 'PostOnly' },
    { visible: false },
  ],
  binance: [{ status: 'TRADING_HALT' }, { status: 'PENDING_TRADING' }, { status: 'PRE_SETTLE' }],
  bingx: [{ status: 25 }, { status: 5 }, { status: 0 }],
  bitget: [
    { symbolStatus: 'limit_open', status: 'limit_open' },
    { symbolStatus: 'maintain', status: 'maintain' },
    { symbolStatus: 'listed', status: 'listed' },
    { symbolStatus: 'off', status: 'off' },
    { launchTime: String(AHEAD) },
  ],
  bybit: [{ status: 'PreLaunch' }, { status: 'Closed' }, { status: 'Delivering' }],
  cryptocom: [{ tradable: false }],
  derive: [{ is_active: false }],
  dydx: [
    { status: 'CANCEL_ONLY' },
    { status: 'POST_ONLY' },
    { status: 'PAUSED' },
    { status: 'FINAL_SETTLEMENT' },
  ],
  edgex: [{ enableTrade: false }, { enableDisplay: false }, { enableOpenPosition: false }],
  extended: [
    { status: 'REDUCE_ONLY' },
    { status: 'PRELISTED' },
    { status: 'DISABLED' },
    { active: false },
    { visibleOnUi: false },
  ],
  gate: [{ in_delisting: true }, { status: 'circuit_breaker' }, { launch_time: AHEAD / 1000 }],
  grvt: [{ status: 'POST_ONLY' }, { status: 'SUSPENDED' }],
  hibachi: [{ status: 'CLOSED' }, { status: 'REDUCE_ONLY' }],
  htx: [{ contract_status: 3 }, { contract_status: 2 }, { contract_status: 0 }],
  hyperliquid: [{ isDelisted: true }],
  kraken: [{ tradeable: false }],
  kucoin: [{ status: 'CancelOnly' }, { status: 'Paused' }, { status: 'BeingSettled' }],
  lighter: [
    { status: 'inactive' },
    { is_frozen: true },
    { market_config: { force_reduce_only: true } },
    { market_config: { hidden: true } },
    { market_config: { trading_hours: 'Mon-Fri' } },
  ],
  mexc: [{ state: 4 }, { state: 3 }, { isHidden: true }, { openingTime: AHEAD }],
  nado: [
    { trading_status: 'reduce_only' },
    { trading_status: 'soft_reduce_only' },
    { trading_status: 'not_tradable' },
  ],
  okx: [{ state: 'suspend' }, { state: 'post_only' }, { state: 'rebase' }, { state: 'preopen' }],
  orderly: [
    { status: 'REDUCE_ONLY' },
    { status: 'POST_ONLY' },
    { status: 'DELISTING' },
    { status: 'PENDING' },
  ],
  pacifica: [{ created_at: AHEAD }],
  paradex: [{ open_at: AHEAD }, { trading_mode: 'RFQ_ONLY' }, { expiry_at: AT - 1 }],
  phemex: [{ status: 'Delisted' }, { status: 'Suspended' }],
  whitebit: [{ tradesEnabled: false }],
};
/** One whose list states no such thing, by its documents. */
const STATELESS = ['deribit'];

const paired = pairingsOf(VENUES, SIM_VENUES, world, AT);
const venueOf = (id: string) => id.replace(/-.*/, '');

/** The list of contracts of a venue, with fields of every row changed. */
function listed(id: string, change: object) {
  const pairing = paired.find(({ adapter }) => adapter.id === id);
  if (pairing === undefined) throw new Error(`${id} is not simulated`);
  const calls = runAdapter(pairing, world, AT).calls.filter(({ kind }) => kind === 'instruments');
  const known = new Set(calls.flatMap(({ decoded }) => decoded.instruments.map(({ symbol }) => symbol)));
  const altered = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(altered);
    if (!isWire(node)) return node;
    const fields = Object.entries(node).map(([key, value]) => [key, altered(value)]);
    return {
      ...Object.fromEntries(fields),
      ...(Object.keys(change).some((key) => key in node || isRow(node)) && change),
    };
  };
  const isRow = (node: object): boolean =>
    Object.values(node).some((value) => typeof value === 'string' && known.has(value));
  const read = calls.map(({ payload, decode, context }) => decode(altered(payload), context));
  return {
    before: known.size,
    instruments: read.flatMap(({ instruments }) => instruments.map(({ symbol }) => symbol)),
    rejects: read.flatMap(({ rejects }) => rejects),
  };
}

const cases = Object.entries(STATES).flatMap(([id, states]) => states.map((state) => [id, state] as const));

describe('a contract that cannot be opened', () => {
  it('has its states here for every venue', () => {
    const ids = new Set(KNOWN_VENUES.map(({ id, parent }) => parent ?? venueOf(id)));
    expect([...ids].filter((id) => !(id in STATES) && !STATELESS.includes(id))).toEqual([]);
  });

  it.each(Object.keys(STATES))('is told by its state alone: %s', (id) => {
    const { before, instruments } = listed(id, { unheardOf: 1 });
    expect(new Set(instruments).size).toBe(before);
  });

  it.each(cases)('is no row: %s %j', (id, state) => {
    const { before, instruments, rejects } = listed(id, state);
    expect(before).toBeGreaterThan(0);
    expect(instruments).toEqual([]);
    expect(rejects.filter(isFault)).toEqual([]);
  });
});
