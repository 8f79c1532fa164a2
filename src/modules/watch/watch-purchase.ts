import Type, { type Static } from 'typebox';
import type { Services } from '../../api/route.ts';
import { iso } from '../../domain/clock.ts';
import { badParameter, fail, ok, type Result } from '../../domain/errors.ts';
import { asMs } from '../../domain/units.ts';
import { integer, nullable, text, timestamp } from '../../products/answer/schema.ts';
import { defineProduct } from '../../products/define-product.ts';
import { type AskedCondition, conditionQuery, conditionSchema } from '../watch-conditions/condition.ts';
import { WATCH_POSTS } from '../watch-conditions/event-schemas.ts';
import { type Understood, understand, watchesOf } from './asked-watch.ts';
import type { Watches } from './port.ts';
import { stateNow, stateSchema } from './state-now.ts';
import type { WatchRecord } from './watch-record.ts';

const { kind, ...others } = conditionQuery;
const query = Type.Object({
  kind: Type.Optional(kind),
  ...others,
  renews: Type.Optional(
    Type.String({
      pattern: '^w[0-9a-f]{24}$',
      description: 'Id to prolong, in place of a condition',
    }),
  ),
});

const answer = Type.Object({
  id: text('Name of the watch'),
  secret: nullable(
    text('Reads it, in the header Perpmeter-Secret: keep it; null of a renewal, whose secret stays'),
  ),
  condition: nullable(conditionSchema),
  state: nullable(stateSchema),
  days: integer('Days that were bought', 1),
  began_at: nullable(timestamp('Since when it is watched; null of a renewal')),
  ends_at: timestamp('Until when; later still where it is renewed meanwhile'),
  read: text('Path at which state, firings, statement and live events are read'),
  note: text('How it is told, and what becomes of it'),
});
export type PurchaseAnswer = Static<typeof answer>;

/** A watch to be sold, or one to be renewed. */
type Found =
  | { readonly kind: 'new'; readonly understood: Understood }
  | { readonly kind: 'renewal'; readonly watches: Watches; readonly record: WatchRecord };

function find(asked: Static<typeof query>, services: Services): Result<Found> {
  const { kind: name, renews, ...rest } = asked;
  if (renews !== undefined) return findRenewal(renews, name !== undefined, services);
  if (name === undefined)
    return fail({
      code: 'missing_parameter',
      detail: 'kind: required, or renews',
      errors: [{ parameter: 'kind', message: 'required, or renews' }],
    });
  const condition: AskedCondition = { ...rest, kind: name };
  const understood = understand(condition, services);
  if (!understood.ok) return understood;
  const full = understood.value.watches.full();
  return full === undefined ? ok({ kind: 'new', understood: understood.value }) : fail(full);
}

function findRenewal(id: string, hasCondition: boolean, services: Services): Result<Found> {
  if (hasCondition) return fail(badParameter('renews', 'a renewal keeps its condition: leave kind out'));
  const watches = watchesOf(services);
  if (!watches.ok) return watches;
  const record = watches.value.find(id);
  const passing = record === undefined ? watches.value.unknown(id) : undefined;
  if (passing !== undefined) return fail(passing);
  if (record === undefined || record.endedAt !== undefined || record.rule !== undefined)
    return fail({ code: 'no_data', detail: `No watch ${id} is held: one that has ended is bought anew` });
  return ok({ kind: 'renewal', watches: watches.value, record });
}

const NOTE =
  'Firings have numbers without gaps: read them at read with after, or as server-sent events with Accept: text/event-stream and Last-Event-ID. A condition that already holds fires at once. Time without data is told as unknown after five minutes, and is in the signed statement at the end. Left out is what the field leaves out; no forecast.';

/** Anybody who knows the id may pay for more days: the answer has nothing of the condition, which is read with the secret. */
const renewed = ({ record }: Found & { readonly kind: 'renewal' }, endsAt: number) => ({
  id: record.id,
  secret: null,
  condition: null,
  state: null,
  began_at: null,
  ends_at: iso(asMs(endsAt)),
});

async function held({ condition, question, watches }: Understood, services: Services, days: number) {
  const state = await stateNow(condition, question, services);
  const { id, secret, beganAt, endsAt } = await watches.offer(condition, days);
  return { id, secret, condition, state, began_at: iso(asMs(beganAt)), ends_at: iso(asMs(endsAt)) };
}

async function purchase(found: Found, services: Services, days: number) {
  const sold =
    found.kind === 'new'
      ? await held(found.understood, services, days)
      : renewed(found, await found.watches.renew(found.record, days));
  const body: PurchaseAnswer = { ...sold, days, read: `/v1/watches/${sold.id}`, note: NOTE };
  return ok({ body });
}

/** The same watch for a number of days: prices are by path. */
export const watchFor = (name: string, days: number, words: string, example: unknown) =>
  defineProduct({
    id: `watch-${name}`,
    path: `/v1/watch/${name}`,
    access: 'paid',
    summary: `A watch of ${words}`,
    description: `Watches one condition for ${words} and tells when it fires: funding, spread, net yield, price gap, basis, percentile, open interest, volume, slippage, flips, changes of interval, events of contracts, venues that fall silent. By webhook, server-sent events or GET; with hysteresis, least duration and a signed statement of what was watched.`,
    tags: ['watches', 'alerts'],
    dependsOn: 'second',
    isOwn: true,
    posts: WATCH_POSTS,
    revisedAt: '2026-11-29T14:00:00.000Z',
    query,
    answer,
    example: {
      request: `/v1/watch/${name}?kind=funding&ticker=BTC&venue=binance&above=0.0005&reset=0.0003`,
      answer: example,
    },
    find,
    books: (found) => (found.kind === 'new' ? found.understood.books() : []),
    compute: (found, services: Services) => purchase(found, services, days),
  });
