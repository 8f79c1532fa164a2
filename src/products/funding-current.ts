import Type, { type Static } from 'typebox';
import { type Failure, fail, ok, type Result } from '../domain/errors.ts';
import { ASSET_CLASSES } from '../domain/instrument.ts';
import type { MarketRow, MarketView, TrackedVenue } from '../market/view.ts';
import { listParameter, wordsOf } from './answer/list-parameter.ts';
import { fundingTime, type ProductAnswer, productAnswer } from './answer/product-answer.ts';
import { publicNumbers } from './answer/public-numbers.ts';
import { boolean, integer, oneOf, text } from './answer/schema.ts';
import { statedCoverage, type VenueCoverage, venueCoverageFields } from './answer/venue-coverage.ts';
import { countFault, inList } from './choice/market-choice.ts';
import { defineProduct, type HistoryView } from './define-product.ts';
import example from './examples/funding-current.json' with { type: 'json' };
import { type FundingRow, fundingRowSchema } from './funding/funding-row.ts';
import { ratesAsOf } from './funding/rates-as-of.ts';
import { firstSettlement, rowText, shownRow } from './funding/row-text.ts';
import { settledMeans, settledMeansSchema, spansFinder } from './funding/settled-means.ts';
import { FUNDING_SORTS, sortedBy } from './funding/sorted-rows.ts';
import { fromStore } from './history/stored.ts';
import { venueParameter } from './rows/asked.ts';
import {
  collectedVenues,
  hasFreshRate,
  isCurrent,
  namingFailure,
  notListed,
  notReady,
  selectVenue,
  venueInfos,
} from './rows/select.ts';

const query = Type.Object({
  symbol: Type.Optional(
    listParameter(
      'Base asset or up to 20, with commas, any case; all identities behind a ticker are returned. Omit for all assets',
      { examples: ['BTC'] },
    ),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Rows on a page' }),
  offset: Type.Integer({ minimum: 0, default: 0, description: 'Rows to skip' }),
  venue: Type.Optional(venueParameter),
  asset_class: Type.Optional(oneOf(ASSET_CLASSES, { description: 'Of this class' })),
  sort: Type.Optional(
    oneOf(FUNDING_SORTS, {
      description:
        'Order of the rows, ascending, descending with a - in front, null last; without it by canonical_id and venue',
    }),
  ),
  fresh: Type.Boolean({
    default: false,
    description:
      'Only rows with a rate, and of a venue that is named no rows with an old mark or rate: over all venues such rows are left out always',
  }),
  include_uncomparable: Type.Boolean({
    default: false,
    description: 'With rows that failed a check: of identity or dispersion, with the reason',
  }),
  settled_means: Type.Boolean({
    default: false,
    description: 'With means of past payments',
  }),
});

const answer = Type.Object({
  symbol: text('The ticker asked for, several with commas, or ALL'),
  comparable_only: boolean('Whether rows that failed the checks were left out'),
  rates: Type.Array(
    Type.Object({ ...fundingRowSchema.properties, settled_means: Type.Optional(settledMeansSchema) }),
  ),
  total: integer('Rows that match, on all pages'),
  limit: integer('Rows on a page', 1),
  offset: integer('Rows skipped'),
  has_more: boolean('Whether there are rows after this page'),
  ...venueCoverageFields,
});

const current = defineProduct({
  id: 'funding-current',
  path: '/v1/funding/current',
  access: 'paid',
  summary: 'Live funding rates',
  description:
    'Live funding rates of perpetual futures on all venues, a row per venue and asset: interval, 8h-equivalent rate, mark price, 24h volume, open interest in USD; on request means of past payments. Rows that are not fresh are left out unless one venue is named, those that fail identity or dispersion checks unless asked for.',
  tags: ['funding', 'perpetual-futures', 'market-data'],
  dependsOn: 'table',
  revisedAt: '2026-11-29T07:00:00.000Z',
  query,
  answer,
  example: { request: '/v1/funding/current?symbol=BTC&limit=2', answer: example },
  find: (asked, { market }) => selectEach(market, asked),
  compute: (selected, { market, history, clock }, asked) => {
    const now = clock.now();
    const page = pageOf(selected, asked);
    if (!page.ok) return page;
    const { body, asOf, sources } = page.value;
    const { rows, total, offset } = body;
    if (rows.length === 0) {
      const detail = `offset ${offset} lies behind the last of ${total} rows; an empty page is not sold.`;
      return fail({ code: 'no_data', detail });
    }
    const missing = body.venues_not_live.join();
    const basis = [total, body.venues_considered, missing, firstSettlement(rows, now), ...rows];
    const infos = venueInfos(market);
    const plain = (row: MarketRow): string => rowText(row, infos, now);
    if (!asked.settled_means) {
      const shown = (): object => pageBody(body, (row) => shownRow(row, infos, now));
      return ok({ content: { write: () => pageText(body, plain), body: shown }, asOf, sources, basis });
    }
    return withMeans(history, plain).then((made) =>
      made.ok ? ok({ content: { write: () => pageText(body, made.value) }, asOf, sources }) : made,
    );
  },
});

export const fundingCurrent = ratesAsOf(current);

/** Writes rows with what was paid; a service that keeps no history has stored nothing. */
async function withMeans(history: HistoryView | undefined, plain: RowWriter): Promise<Result<RowWriter>> {
  const stored = history === undefined ? ok([]) : fromStore(await history.reader.settledSpans());
  if (!stored.ok) return stored;
  const find = spansFinder(stored.value);
  return ok((row) => {
    const further: OnRequest = { settled_means: settledMeans(find(row)) };
    return `${plain(row).slice(0, -1)},${JSON.stringify(publicNumbers(further)).slice(1)}`;
  });
}

type Asked = Static<typeof query>;
type Page = Static<typeof answer>;
type ShownRow = Page['rates'][number];
/** Fields that a row has on request only, behind those of every row. */
type OnRequest = Required<Omit<ShownRow, keyof FundingRow>>;

interface SelectedRows {
  /** The bare ticker, several with commas, or `ALL`. */
  readonly symbol: string;
  readonly rows: readonly MarketRow[];
  /** Collected venues that could have rows of it. */
  readonly listedBy: readonly TrackedVenue[];
}

/** A page whose rows are still to be written. */
interface PageOfRows extends Omit<Page, 'rates'> {
  readonly rows: readonly MarketRow[];
}

/**
 * The page of rows that a request asks for, ordered by (canonical_id, source_id) unless it says by what. `total`
 * counts after filters. Over all venues the rows are fresh; of a venue that is named they are at most 15 minutes
 * old. Never ambiguous: a symbol that names several assets gives the rows of all. An empty list is not sold: 503
 * not_ready without a row, 404 no_data where no row is comparable.
 */
export function pageOf(selected: SelectedRows, asked: Asked): Result<ProductAnswer<PageOfRows>> {
  const { symbol, rows } = selected;
  const { limit, offset } = asked;
  const chosen = chosenRows(rows, asked);
  const { rows: filtered } = chosen;
  const coverage = { listed: selected.listedBy, considered: chosen.venues };
  if (filtered.length === 0) return fail(nothingListed(selected, asked));
  const page = filtered.slice(offset, offset + limit);
  const body: PageOfRows = {
    symbol,
    comparable_only: !asked.include_uncomparable,
    rows: page,
    total: filtered.length,
    limit,
    offset,
    has_more: offset + page.length < filtered.length,
    ...statedCoverage(coverage),
  };
  return ok(productAnswer(body, page, body.venues_not_live, fundingTime));
}

/** Writes a row as JSON, with what was asked for on request. */
type RowWriter = (row: MarketRow) => string;

/** A page with its rows; nothing of them is written. */
function pageBody(
  { rows, symbol, comparable_only, ...counts }: PageOfRows,
  show: (row: MarketRow) => object,
) {
  return { symbol, comparable_only, rates: rows.map(show), ...counts };
}

/** The JSON of a page, put together from the rows' kept text. */
function pageText({ rows, symbol, comparable_only, ...counts }: PageOfRows, write: RowWriter): string {
  const empty: Page = { symbol, comparable_only, rates: [], ...counts };
  return JSON.stringify(empty).replace('"rates":[]', () => `"rates":[${rows.map(write).join(',')}]`);
}

const byAsset = (a: MarketRow, b: MarketRow): number =>
  a.canonicalId === b.canonicalId ? a.sourceId - b.sourceId : a.canonicalId < b.canonicalId ? -1 : 1;

/** As `selectRows`, of each asset of a list. 400 of more than 20; a name that is not understood fails all. */
export function selectEach(view: MarketView, asked: Asked): Result<SelectedRows> {
  const { symbol } = asked;
  if (symbol?.includes(',') !== true) return selectRows(view, asked);
  const words = wordsOf(symbol);
  const wrong = countFault('symbol', words);
  if (wrong !== undefined) return fail(wrong);
  const found = new Map<string, SelectedRows>();
  for (const word of words) {
    const one = selectRows(view, { ...asked, symbol: word });
    if (!one.ok) return fail(inList(one.error, 'symbol', words, word));
    found.set(one.value.symbol, one.value);
  }
  const each = [...found.values()];
  const rows = each.flatMap(({ rows }) => rows).sort(byAsset);
  const listedBy = [...new Set(each.flatMap(({ listedBy }) => listedBy))];
  return ok({ symbol: [...found.keys()].join(), rows, listedBy });
}

/**
 * Rows of the assets, and of the venue, that are asked for. A name that means one contract of the venue gives its
 * row. 404 unknown_ticker, unknown_venue, not_listed.
 */
export function selectRows(view: MarketView, { symbol, venue: at }: Asked): Result<SelectedRows> {
  const found = at === undefined ? undefined : selectVenue(view, at);
  if (found?.ok === false) return found;
  const venue = found?.value;
  const asked = collectedVenues(view).filter(({ info }) => (venue?.info.id ?? info.id) === info.id);
  if (symbol === undefined) return ok({ symbol: 'ALL', rows: ofVenue(view.rows(), venue), listedBy: asked });
  const resolution = view.resolve(symbol, venue === undefined ? {} : { venue: venue.info.id });
  const listing = (...ids: readonly string[]) =>
    asked.filter(({ info }) => ids.some((id) => view.lists(info.id, id)));
  if (resolution.kind === 'one') {
    const { ticker, canonicalId, symbol: contract } = resolution;
    if (venue !== undefined && !view.lists(venue.info.id, canonicalId))
      return fail(notListed(view, venue, resolution));
    const named = { symbol: ticker, listedBy: listing(canonicalId) };
    if (venue === undefined) return ok({ ...named, rows: view.rowsOf(canonicalId) });
    const { id } = venue.info;
    // A silent contract that is asked for by name is not replaced by another contract of the asset.
    const one = contract === undefined ? view.row(id, canonicalId) : view.contract(id, contract);
    return ok({ ...named, rows: one === undefined ? [] : [one] });
  }
  if (resolution.kind !== 'ambiguous') return fail(namingFailure(view, symbol, { kind: 'unknown' }, venue));
  const ids = resolution.candidates.map((candidate) => candidate.canonical_id);
  const rows = ofVenue(
    ids.flatMap((id) => view.rowsOf(id)),
    venue,
  );
  return ok({ symbol: rows[0]?.ticker ?? symbol.toUpperCase(), rows, listedBy: listing(...ids) });
}

function ofVenue(rows: readonly MarketRow[], venue: TrackedVenue | undefined): readonly MarketRow[] {
  return venue === undefined ? rows : rows.filter((row) => row.venue === venue.info.id);
}

function nothingListed({ symbol, rows, listedBy }: SelectedRows, asked: Asked): Failure {
  if (rows.length === 0) return notReady(`No row of ${symbol} is younger than 15 minutes`, listedBy);
  if (asked.venue === undefined && !rows.some(isCurrent)) {
    const detail = `No row of ${symbol} is fresh on any of ${listedBy.length} venues; with venue, rows of up to 15 minutes are shown`;
    return notReady(detail, listedBy);
  }
  const narrowed = asked.asset_class !== undefined || asked.fresh;
  const detail = narrowed
    ? `None of ${rows.length} rows of ${symbol} passes asset_class, fresh and the comparability checks; without these parameters they are shown`
    : `None of ${rows.length} rows of ${symbol} is comparable; include_uncomparable=true shows them`;
  return { code: 'no_data', detail };
}

/** Rows that pass what was asked for, and the venues that they are of. */
interface ChosenRows {
  readonly rows: readonly MarketRow[];
  readonly venues: VenueCoverage['considered'];
}

/** Chosen lists of one table version are shared. */
const known = new WeakMap<readonly MarketRow[], Map<string, ChosenRows>>();
/** Further choices of one version are made again each time. */
const MAX_CHOICES = 64;

function chosenRows(rows: readonly MarketRow[], asked: Asked): ChosenRows {
  const { include_uncomparable: includeUncomparable, asset_class: assetClass, fresh, sort, venue } = asked;
  const key = [includeUncomparable, assetClass, fresh, sort, venue === undefined].join();
  const kept = known.get(rows) ?? new Map<string, ChosenRows>();
  known.set(rows, kept);
  const made = kept.get(key);
  if (made !== undefined) return made;
  const passing = rows.filter(
    (row) =>
      (venue !== undefined || isCurrent(row)) &&
      (includeUncomparable || row.comparable) &&
      (assetClass === undefined || row.assetClass === assetClass) &&
      (!fresh || (row.fresh && hasFreshRate(row))),
  );
  const sorted = sort === undefined ? passing : sortedBy(passing, sort);
  // Of a venue that is named, rows are shown that are no longer current.
  const current = venue === undefined ? passing : passing.filter(isCurrent);
  const chosen = { rows: sorted, venues: new Set(current.map((row) => row.venue)) };
  if (kept.size < MAX_CHOICES) kept.set(key, chosen);
  return chosen;
}
