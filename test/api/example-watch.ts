import { ok } from '../../src/domain/errors.ts';
import { asMs } from '../../src/domain/units.ts';
import { newRecord } from '../../src/modules/watch/desk.ts';
import type { Offered, Watches } from '../../src/modules/watch/port.ts';
import type { WatchRecord } from '../../src/modules/watch/watch-record.ts';
import type { Condition } from '../../src/modules/watch-conditions/condition.ts';
import type { WalletProofs } from '../../src/modules/watch-wallet/port.ts';
import type { Firing } from '../../src/modules/webhook/firing.ts';
import { DAY_MS, MINUTE_MS } from '../../src/runtime/duration.ts';

const ID = 'w0123456789abcdef01234567';
/** The moment of the examples' answers. */
const NOW = asMs(Date.parse('2026-11-20T21:18:30.000Z'));
const BEGAN = asMs(NOW - 3 * 60 * MINUTE_MS);

const WALLET = '0x857b06519e91e3a54538791bdbb0e22373e36b66';

const OFFERED: Offered = {
  id: ID,
  secret: 'q1V8mT0cQ2yYw3kS9bZrX7eN5uHdLfGa',
  beganAt: NOW,
  endsAt: NOW + DAY_MS,
};

const CONDITION: Condition = {
  kind: 'funding',
  product: 'funding-current',
  field: 'rate_8h',
  unit: 'fraction per eight hours',
  ticker: 'BTC',
  asset: 'crypto:BTC',
  venue: 'binance',
  above: 0.0005,
  reset: 0.0003,
  for_minutes: 5,
  firings: 100,
};

const VALUES = {
  rate_8h: 0.00052,
  rate: 0.00052,
  funding_interval_hours: 8,
  rate_updated_at: '2026-11-20T21:15:28.000Z',
};

const FIRED: Firing = {
  watchId: ID,
  seq: 1,
  at: NOW - 3 * MINUTE_MS,
  kind: 'fired',
  condition: CONDITION,
  values: VALUES,
  rowsAt: NOW - 3 * MINUTE_MS - 1_000,
  ruleVersion: 1,
};

function heldRecord(): WatchRecord {
  const sold = newRecord({ ...OFFERED, beganAt: BEGAN, endsAt: BEGAN + DAY_MS }, CONDITION, WALLET, ['sale']);
  const progress = { ...sold.progress, phase: 'fired' as const, since: FIRED.at, seq: 1, fired: 1 };
  return { ...sold, progress, values: VALUES, rowsAt: FIRED.rowsAt };
}

/** Takes every request as that of one wallet. */
export const exampleProofs = (): WalletProofs => ({
  read: () =>
    ok({
      wallet: WALLET,
      chainId: 8453,
      issuedAt: '2026-11-20T21:18:00.000Z',
      nonce: 'example1',
      signature: '0x',
    }),
  check: async () => ok(WALLET),
});

/** Watches of the example: one is held, and whatever is asked for is offered under one name. Nothing is registered. */
export function exampleWatches(): Watches {
  const record = heldRecord();
  return {
    webhookFault: () => undefined,
    full: () => undefined,
    keepRule: () => {},
    keepRules: () => {},
    offer: (_, days) => ({ ...OFFERED, endsAt: OFFERED.beganAt + days * DAY_MS }),
    renew: ({ endsAt }, days) => endsAt + days * DAY_MS,
    stored: { additions: 1, watches: () => [record] },
    find: (id) => (id === ID ? record : undefined),
    read: (id) =>
      id === ID
        ? ok(record)
        : { ok: false, error: { code: 'no_data', detail: `No watch ${id} has this secret` } },
    unknown: () => undefined,
    firings: (id, after) => (id === ID && after < 1 ? [FIRED] : []),
    delivery: () => undefined,
  };
}
