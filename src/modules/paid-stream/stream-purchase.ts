import Type, { type Static } from 'typebox';
import type { Services } from '../../api/route.ts';
import { badParameter, type Failure, fail, ok, type Result } from '../../domain/errors.ts';
import { integer, nullable, text } from '../../products/answer/schema.ts';
import { defineProduct } from '../../products/define-product.ts';
import { type Soon, soon } from '../tables/soon.ts';
import { PAID_STREAMS, type PaidStreams } from './port.ts';
import { readSelection, type Selection, selectionQuery, selectionSchema, tooLarge } from './selection.ts';

const query = Type.Object({
  ...selectionQuery,
  extends: Type.Optional(
    Type.String({ pattern: '^s[0-9a-f]{24}$', description: 'Id of a stream, to add minutes to it: alone' }),
  ),
});

const answer = Type.Object({
  id: text('Name of the stream'),
  secret: nullable(
    text(
      'Reads it, in the header Perpmeter-Secret: keep it; null where minutes are added, whose secret stays',
    ),
  ),
  selection: nullable(selectionSchema),
  minutes: integer('Paid minutes that were bought', 1),
  read: text('Path of the stream, with Accept: text/event-stream, and of its state'),
  extend: text('Request that buys its next minute'),
  note: text('How minutes are used'),
});
type PurchaseAnswer = Static<typeof answer>;

/** A stream to be sold, or one that gets more minutes. */
type Found =
  | { readonly kind: 'new'; readonly selection: Selection; readonly streams: PaidStreams }
  | { readonly kind: 'more'; readonly id: string; readonly uses: number; readonly streams: PaidStreams };

const NOT_HELD: Failure = {
  code: 'not_ready',
  detail: 'This process serves no paid streams.',
  retryAfterSeconds: 5,
};

/** The paid streams of this process; 503 where it has none. */
export function streamsOf({ readPort }: Pick<Services, 'readPort'>): Result<PaidStreams> {
  const streams = readPort(PAID_STREAMS);
  return streams === undefined ? fail(NOT_HELD) : ok(streams);
}

function find(asked: Static<typeof query>, services: Services, minutes: number): Result<Found> {
  const found = streamsOf(services);
  if (!found.ok) return found;
  const streams = found.value;
  const { extends: id, ...selected } = asked;
  if (id !== undefined) return findMore(id, selected, streams);
  const selection = readSelection(selected, services.market);
  if (!selection.ok) return selection;
  const refusal = tooLarge(selection.value, minutes) ?? streams.full();
  return refusal === undefined ? ok({ kind: 'new', selection: selection.value, streams }) : fail(refusal);
}

function findMore(id: string, selected: object, streams: PaidStreams): Result<Found> {
  const [further] = Object.entries(selected).filter(([, value]) => value !== undefined);
  if (further !== undefined)
    return fail(badParameter(further[0], 'a stream keeps its selection: leave it out beside extends'));
  const known = streams.find(id);
  if (known !== undefined) return ok({ kind: 'more', id, uses: known.selection.uses, streams });
  const passing = streams.unknown(id);
  if (passing !== undefined) return fail(passing);
  return fail({ code: 'no_data', detail: `No stream ${id} is kept: buy one without extends` });
}

const NOTE =
  'A minute begins when it is first served, and runs on from then; none begins without a reader or without data. Fifteen seconds before the end of the last one the event due says what to buy; ten seconds beyond it are served, and are the first that the next payment covers. A minute that the service breaks off is credited. Unused minutes are kept for thirty days. No forecast.';

function purchase(found: Found, minutes: number): Soon<Result<{ readonly body: PurchaseAnswer }>> {
  const { uses } = found.kind === 'new' ? found.selection : found;
  const sold = found.kind === 'new' ? begun(found, minutes) : added(found, minutes);
  return soon(sold, (named) => {
    const body: PurchaseAnswer = {
      ...named,
      minutes,
      read: `/v1/streams/${named.id}`,
      extend: extendPath(named.id, uses),
      note: NOTE,
    };
    return ok({ body });
  });
}

type Sold = Pick<PurchaseAnswer, 'id' | 'secret' | 'selection'>;

const begun = ({ selection, streams }: Found & { readonly kind: 'new' }, minutes: number): Soon<Sold> =>
  soon(streams.offer(selection, minutes), ({ id, secret }) => ({ id, secret, selection }));

/** Anybody who knows the id may pay: the answer has nothing of what is streamed. */
const added = ({ id, streams }: Found & { readonly kind: 'more' }, minutes: number): Soon<Sold> =>
  soon(streams.extend(id, minutes), () => ({ id, secret: null, selection: null }));

/** The request that buys the next minute of a stream whose minutes take `uses` paid ones: no selection takes more than ten. */
export const extendPath = (id: string, uses: number): string =>
  `/v1/stream/${uses > 1 ? 'ten-minutes' : 'minute'}?extends=${id}`;

/** Paid minutes at a path of their own: prices are by path. */
export const minutesOf = (name: string, minutes: number, words: string, example: unknown) =>
  defineProduct({
    id: `stream-${name}`,
    path: `/v1/stream/${name}`,
    access: 'paid',
    summary: `Live stream, ${words}`,
    description: `Live funding rates, touches, sized quotes and signals of chosen assets and venues as events, for ${words} of up to 50 assets: the whole state, then numbered changes once a second. Resumable; a slow reader gets changes as one and is told so. Minutes are used while a reader is there, a broken one is credited, and extends adds more to a stream that runs.`,
    tags: ['stream', 'funding-rates', 'perpetual-futures'],
    dependsOn: 'second',
    isOwn: true,
    revisedAt: '2026-11-29T18:00:00.000Z',
    query,
    answer,
    example: {
      request: `/v1/stream/${name}?topics=funding,touches&symbol=BTC,ETH&venues=binance,okx`,
      answer: example,
    },
    find: (asked, services: Services) => find(asked, services, minutes),
    compute: (found) => purchase(found, minutes),
  });
