import { describe, expect, it } from 'vitest';
import { protectedRoutes } from '../../src/api/catalog.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { isWire, type Wire, wireArray } from '../../src/domain/read.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { createChallenges } from '../../src/pay/challenge.ts';
import { NETWORKS, type PaymentNetwork } from '../../src/pay/networks.ts';
import { LONGEST_REASON } from '../../src/pay/reasons.ts';
import { channelOffer } from '../../src/pay/schemes/batch-settlement/offer.ts';
import { offersOf } from '../../src/pay/schemes/list.ts';
import type { Seller } from '../../src/pay/seller.ts';
import { examplePrices, SELLER } from './example-api.ts';

/** With the longest delay and deposit. */
const TERMS = { receiverAuthorizer: SELLER.payTo, withdrawDelay: 2_592_000, depositCalls: 100_000 };
/** Bytes of the longest value of the header. */
const ROOM = 3_500;
const routes = protectedRoutes(ROUTES);
const networks = Object.values(NETWORKS).slice(0, 5);
const ids = networks.map(({ id }) => id);

/** Exact and channels on five networks; `closed` has those whose accounts are low on gas. */
function challengesAt(baseUrl: string, closed: ReadonlySet<string>) {
  const sellerOn = (network: PaymentNetwork): Seller => {
    const { asset, assetName, assetVersion } = network;
    return { ...SELLER, network, asset, assetName, assetVersion, baseUrl };
  };
  const sellers = networks.map(sellerOn);
  const [seller = SELLER, ...others] = sellers;
  const exact = offersOf({ seller, others: others.map((other) => ({ seller: other })) });
  const byChannel = sellers.map((other) => channelOffer(other, TERMS, () => !closed.has(other.network.id)));
  const made = createChallenges({
    schemes: [...exact, ...byChannel],
    seller,
    prices: examplePrices(),
    clock: systemClock,
    routes,
  });
  if (!made.ok) throw new Error(made.errors.join('\n'));
  return made.value;
}

function entriesIn(value: string): readonly Wire[] {
  const header: unknown = JSON.parse(Buffer.from(value, 'base64').toString('utf8'));
  return isWire(header) ? (wireArray(header.accepts)?.filter(isWire) ?? []) : [];
}

describe.each(['https://short.example', `https://${'a'.repeat(44)}.example.com`])(
  'channels on five networks whose accounts run low on gas, at %s',
  (baseUrl) => {
    it('one, then all, then none: said by the entry of each, with room', () => {
      const closed = new Set<string>();
      const { challenge, refused } = challengesAt(baseUrl, closed);
      for (const low of [[], ids.slice(0, 1), ids, []]) {
        closed.clear();
        for (const id of low) closed.add(id);
        for (const route of routes) {
          for (const reply of [
            challenge(route),
            challenge(route, LONGEST_REASON),
            refused(route, LONGEST_REASON),
          ]) {
            const value = reply.headers['payment-required'] ?? '';
            expect(value.length).toBeLessThanOrEqual(ROOM);
            const entries = entriesIn(value);
            expect(entries.slice(0, ids.length).map(({ network }) => network)).toEqual(ids);
            const further = entries.slice(ids.length);
            for (const { network, extra } of further)
              expect(isWire(extra) && extra.depositsClosed === true).toBe(low.includes(String(network)));
          }
          expect(entriesIn(challenge(route).headers['payment-required'] ?? '').length).toBeGreaterThan(
            ids.length,
          );
        }
      }
    });
  },
);
