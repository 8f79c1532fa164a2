import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { asMs, asPrice, type UnixMs } from '../../src/domain/units.ts';
import { changeIdentity } from '../../src/market/change-identity.ts';
import { createInstrumentIdentities } from '../../src/market/identity.ts';
import { createMarket, type Market } from '../../src/market/live-table.ts';
import { makeInstrument, makeVenueInfo } from '../../src/market/market-fixture.ts';
import type { MarketStore } from '../../src/market/stores.ts';
import { openIdentities } from '../../src/modules/shared-ledger/identities/open-identities.ts';
import { emptyLedger, type PostgresServer, sharedServer } from '../pay/postgres-server.ts';
import { Relay, type RelayMode } from '../pay/relay.ts';
import { until } from '../until.ts';

export const T0 = asMs(1_790_000_000_000);

/** A base, or what else an instrument is to say. */
type Listed = string | Parameters<typeof makeInstrument>[0];

function listContracts({ sink }: Market, venue: string, bases: readonly Listed[], now: UnixMs): void {
  const list = bases.map((it) => makeInstrument({ venue, ...(typeof it === 'string' ? { base: it } : it) }));
  sink.instruments(venue, list, now);
  const quotes = list.map(({ symbol }) => ({ symbol, markPrice: asPrice(3) }));
  sink.quotes(venue, quotes, now);
}

function trackVenue({ sink }: Market, id: string, sourceId: number | undefined): void {
  const { sourceId: _, ...info } = makeVenueInfo({ id });
  sink.venue({ ...info, ...(sourceId !== undefined && { sourceId }) }, 5000);
}

const idsOf = ({ view }: Market): readonly string[] =>
  view.rows().map((row) => `${row.venue} ${row.symbol} ${row.canonicalId}`);

export let server: PostgresServer;
/** The host's own folder at its start. */
export let folder: string;
/** Ended after the test, in the opposite order. */
export const ends: (() => Promise<unknown>)[] = [];

/** A server without identities for each test of the suite that calls it. */
export function useIdentityServer(): void {
  beforeEach(async () => {
    await emptyLedger();
    server = await sharedServer();
    folder = mkdtempSync(join(tmpdir(), 'shared-identities-'));
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
    rmSync(folder, { recursive: true, force: true });
  });
}

/** A host with a table, whose network to the server can fail. */
export async function host({
  user = 'seller',
  mode = 'open' as RelayMode,
  onError = (_reason: string): void => {},
} = {}) {
  const relay = await Relay.start(server.port);
  ends.push(() => relay.stop());
  relay.set(mode);
  const url = server.url('postgres', user, relay.port);
  const options = { folder: join(folder, 'market'), ends: true, mayBeAway: true, onError };
  const store: MarketStore = await openIdentities(url, options);
  ends.push(() => store.close());
  const identity = createInstrumentIdentities(store.identities);
  let now = T0;
  const { sourceIds, decisions } = store;
  const market = createMarket({ clock: { now: () => now }, identity, sourceIds, decisions });
  const catchUp = async (): Promise<void> => {
    await store.settled();
    market.readDecisions();
  };
  return {
    relay,
    store,
    identity,
    market,
    catchUp,
    list: (venue: string, bases: readonly Listed[]) => listContracts(market, venue, bases, now),
    venue: (id: string, sourceId?: number) => trackVenue(market, id, sourceId),
    ids: () => idsOf(market),
    pass(ms: number): void {
      now = asMs(now + ms);
      market.sweep();
    },
    change: (request: Parameters<typeof changeIdentity>[1]) =>
      changeIdentity({ identity, decisions, catchUp }, request, 'why', now),
    until: (...ids: string[]) =>
      until(() => {
        market.sweepPart(1);
        market.sweep();
        expect(idsOf(market)).toEqual(ids);
      }),
  };
}
