import Type, { type Static } from 'typebox';
import { iso } from '../../domain/clock.ts';
import { fail, ok, type Result } from '../../domain/errors.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { ListedContract, TrackedVenue } from '../../market/view.ts';
import type { RenderedAnswer } from '../../products/answer/product-answer.ts';
import { integer, nullable, text, timestamp } from '../../products/answer/schema.ts';
import { defineProduct, type Ports } from '../../products/define-product.ts';
import { asOfParameter, readAsOf } from '../../products/history/window.ts';
import { tickerParameter, venueParameter } from '../../products/rows/asked.ts';
import { collectedVenues, notReady, selectAsset, selectVenue } from '../../products/rows/select.ts';
import { nameStoredPair, selectStoredAsset } from '../../products/rows/select-stored.ts';
import { contractRow, contractRowSchema } from './contract-row.ts';
import example from './examples/contracts.json' with { type: 'json' };

const query = Type.Object({
  venue: Type.Optional(venueParameter),
  ticker: Type.Optional(tickerParameter),
  as_of: asOfParameter,
});

type Asked = Static<typeof query>;

const answer = Type.Object({
  as_of: nullable(timestamp('The moment that the list is of; null for now')),
  count: integer('Contracts in contracts'),
  contracts: Type.Array(contractRowSchema, { description: 'By venue and symbol' }),
  note: text('What the figures leave out'),
});

/** The contracts that a request is about. */
interface Found {
  readonly at: UnixMs | undefined;
  readonly venues: readonly TrackedVenue[];
  readonly contracts: readonly ListedContract[];
}

export const contractsProduct = defineProduct({
  id: 'contracts',
  path: '/v1/contracts',
  access: 'paid',
  summary: 'Terms of contracts',
  description:
    'Terms of the perpetual futures of a venue, of an asset on all venues, or of one contract: tick, lot, minimum order, contract size, leverage, margins, funding cap and floor, limits, hours, listing and end; with as_of the contracts that were listed then, delisted ones too.',
  tags: ['contracts', 'reference-data', 'perpetual-futures'],
  dependsOn: 'table',
  revisedAt: '2026-11-29T07:00:00.000Z',
  query,
  answer,
  example: { request: '/v1/contracts?ticker=PEPE', answer: example },
  find: findContracts,
  compute: listContracts,
});

const NOTE =
  'As venues state them to everybody, in lists of contracts and beside metrics; leaves out tiers by size, limits of an account and what only a key shows. No forecast.';
const NOTE_THEN =
  'Contracts that this service saw listed at that moment, by the present names of their assets; leaves out what was listed before it was seen (first_seen_at). Terms of then are not stored. No forecast.';

/**
 * The contracts that are named. 400 missing_parameter where nothing is; failures of names as elsewhere; 503 where the
 * venue's list has not been read; 404 no_data where nothing is known of that moment.
 */
function findContracts(asked: Asked, { market, clock }: Ports): Result<Found> {
  const { venue: venueName, ticker, as_of: text } = asked;
  const asOf = readAsOf(text, clock.now());
  if (!asOf.ok) return asOf;
  const at = asOf.value;
  if (venueName === undefined && ticker === undefined) return fail(NOTHING_NAMED);
  const venue = venueName === undefined ? undefined : selectVenue(market, venueName);
  if (venue !== undefined && !venue.ok) return venue;
  const named = nameContracts(asked, market, at);
  if (!named.ok) return named;
  const { symbol, canonicalId } = named.value;
  const contracts = market
    .listings({ venue: venue?.value.info.id, canonicalId, at })
    .filter((contract) => symbol === undefined || contract.symbol === symbol);
  const venues = venue === undefined ? collectedVenues(market) : [venue.value];
  if (contracts.length > 0) return ok({ at, venues, contracts });
  if (at === undefined) return fail(notReady('No list of contracts has been received yet', venues));
  return fail({
    code: 'no_data',
    detail: `No contract of it was seen to be listed at ${iso(at)}: nothing is known of the time before this service began to look`,
  });
}

const NOTHING_NAMED = {
  code: 'missing_parameter',
  detail: 'Name a venue, a ticker, or both',
  errors: [{ parameter: 'venue', message: 'is required where no ticker is given' }],
} as const;

interface Named {
  readonly canonicalId?: string;
  /** Present if the name means one contract and not the asset. */
  readonly symbol?: string | undefined;
}

/** Reads what a ticker stands for; at a moment of the past also one that is listed no more. */
function nameContracts(
  { venue, ticker }: Asked,
  market: Ports['market'],
  at: UnixMs | undefined,
): Result<Named> {
  if (ticker === undefined) return ok({});
  if (venue !== undefined) return nameStoredPair(market, { venue, ticker });
  return at === undefined ? selectAsset(market, { ticker }) : selectStoredAsset(market, { ticker });
}

function listContracts({ at, venues, contracts }: Found, { market }: Ports): Result<RenderedAnswer> {
  const infos = new Map(market.venues().map(({ info }) => [info.id, info]));
  const rows = contracts.map((contract) =>
    contractRow(contract, {
      isPast: at !== undefined,
      row: at === undefined ? market.contract(contract.venue, contract.symbol) : undefined,
      info: infos.get(contract.venue),
      aliases: market.aliasesOf(contract.canonicalId),
    }),
  );
  const body: Static<typeof answer> = {
    as_of: at === undefined ? null : iso(at),
    count: rows.length,
    contracts: rows,
    note: at === undefined ? NOTE : NOTE_THEN,
  };
  const used = new Set(contracts.map(({ venue }) => venue));
  const missing = venues.map(({ info }) => info.id).filter((venue) => !used.has(venue));
  return ok({
    content: { json: body },
    asOf: at,
    sources: { used: [...used], missing },
    ...(at !== undefined && { answeredAsOf: at }),
  });
}
