import { type Decoded, emptyDecoded } from '../../src/domain/decoded.ts';
import { SPOT_VENUES } from '../../src/modules/spot/registry.ts';
import { emptySpot, type SpotDecoded, type SpotMarket } from '../../src/modules/spot/spot-rows.ts';
import type { SpotVenue } from '../../src/modules/spot/spot-venue.ts';
import type { SpotAnswer } from '../spot/answers/answer.ts';
import { simulatedAnswers } from '../spot/answers/simulated.ts';
import { ANSWERS } from '../spot/answers.ts';
import { spotCallFor, spotContext, spotSamples } from '../spot/recordings.ts';
import { checkDecoded } from '../venues/decoded-checks.ts';
import { type MutationCase, mutate, NONSENSE } from '../venues/mutate.ts';
import { deadIn, deadRows } from './dead-rows.ts';
import type { SoakOptions, VenueSoak } from './soak.ts';
import { SpotTables } from './spot-tables.ts';

/** Rows of spot under the names of rows of perpetuals, so that the same laws hold them. */
function asDecoded({ markets, tickers, borrow, books, candles, rejects }: SpotDecoded): Decoded {
  // An inventory that is used up is no zero for an unknown.
  const rates = borrow.map((row) => {
    const named = { symbol: row.asset, ...row };
    return row.available === 0 ? { ...named, available: 'none' } : named;
  });
  const rows: unknown = {
    ...emptyDecoded(),
    instruments: markets,
    quotes: [...tickers, ...rates, ...candles],
    books,
    rejects,
  };
  return rows as Decoded;
}

interface SpotCase extends MutationCase {
  readonly origin: 'simulated' | 'recorded';
  readonly call: string;
  readonly held: SpotTables['held'];
}

/** Results of one venue, with how much of its answers its tables held undamaged, at the most. */
interface SpotVenueSoak extends VenueSoak {
  readonly markets: number;
  readonly rates: number;
}

/** The state of a market may be left out where the venue's older rows have none. */
const LIVE_WITHOUT = {
  fields: [
    'status',
    'category',
    'isSpotTradingAllowed',
    'delistedAt',
    'tags',
    'underlying',
    'init-nav',
    'isFrozen',
    'tradesEnabled',
    'base_name',
    'fullName',
    'market',
    'symbolType',
    'aclass_base',
    'contractType',
    'etf_net_value',
    'etf_leverage',
    'apiStateBuy',
    'permissions',
    'visible',
  ],
  why: 'a mark of another kind of row, which rows of coins do not have',
  orBlank: true,
} as const;

/** All that a venue's answers say; of a market or a coin that several state, the first. */
function together(answers: readonly SpotDecoded[]): SpotDecoded {
  const by = <Row>(rows: readonly Row[], name: (row: Row) => string): Row[] => {
    const first = new Map<string, Row>();
    for (const row of rows) if (!first.has(name(row))) first.set(name(row), row);
    return [...first.values()];
  };
  return {
    ...emptySpot(),
    markets: by(
      answers.flatMap(({ markets }) => markets),
      ({ symbol }) => symbol,
    ),
    tickers: by(
      answers.flatMap(({ tickers }) => tickers),
      ({ symbol }) => symbol,
    ),
    borrow: by(
      answers.flatMap(({ borrow }) => borrow),
      ({ ticker }) => ticker,
    ),
  };
}

function casesOf({ id }: SpotVenue, simulated: readonly SpotAnswer[]): readonly SpotCase[] {
  const given = [
    ...[...ANSWERS, ...simulated].map((answer) => ({
      ...answer,
      origin: 'simulated' as const,
      file: answer.url,
    })),
    ...spotSamples().map((sample) => ({ ...sample, origin: 'recorded' as const })),
  ].filter(({ venue }) => venue === id);
  const decode = (url: string, payload: unknown, markets: SpotMarket[] = []) =>
    spotCallFor(id, url)?.decode(payload, spotContext(url, markets));
  const listed = given.flatMap(({ url, payload }) => decode(url, payload)?.markets ?? []);
  const answers = given.map(({ url, payload }) => decode(url, payload, listed) ?? emptySpot());
  return given.flatMap(({ url, payload, origin, file }) => {
    const call = spotCallFor(id, url);
    if (call === undefined) return [];
    return [[], listed].map((markets): SpotCase => {
      const rowsOf = (changed: unknown) => call.decode(changed, spotContext(url, markets));
      const whole = rowsOf(payload);
      const dead = deadIn(asDecoded(whole));
      let damaged = whole;
      const tables = new SpotTables(id, together([whole, ...answers]));
      return {
        name: `${id} spot ${origin} ${file}${markets.length > 0 ? ', markets known' : ''}`,
        payload,
        origin,
        call: call.name,
        held: tables.held,
        decode: (changed) => {
          damaged = rowsOf(changed);
          return asDecoded(damaged);
        },
        // A name may be any text.
        judge: (decoded, mutation) => [
          ...tables.problemsOf(damaged, whole),
          ...(/text$/.test(mutation.name) && /\.base\w*$/.test(mutation.at)
            ? []
            : deadRows(LIVE_WITHOUT, dead, decoded, mutation)),
        ],
      };
    });
  });
}

/** Payloads that are no answer at all: no exception, and no number that is none. */
const nonsense = ({ id, calls }: SpotVenue): string[] =>
  calls.flatMap(({ name, decode }) =>
    NONSENSE.flatMap((payload) => {
      try {
        return checkDecoded(asDecoded(decode(payload, { markets: new Map() })));
      } catch (error) {
        return [`${id} spot ${name} on ${JSON.stringify(payload)}: threw ${String(error)}`];
      }
    }),
  );

function soakVenue(
  venue: SpotVenue,
  simulated: readonly SpotAnswer[],
  { seed, limit, only = '' }: SoakOptions,
): SpotVenueSoak {
  const problems = nonsense(venue);
  const cases = casesOf(venue, simulated).filter(({ name }) => name.includes(only));
  let mutations = 0;
  for (const test of cases) {
    const result = mutate(test, { seed, limit });
    mutations += result.tried;
    problems.push(...result.problems);
  }
  const count = (origin: SpotCase['origin']) => cases.filter((soakCase) => soakCase.origin === origin).length;
  const reached = new Set(cases.map(({ call }) => call));
  return {
    venue: `${venue.id} spot`,
    simulated: count('simulated'),
    recorded: count('recorded'),
    calls: `${venue.calls.filter(({ name }) => reached.has(name)).length}/${venue.calls.length}`,
    mutations,
    problems,
    markets: Math.max(0, ...cases.map(({ held }) => held.markets)),
    rates: Math.max(0, ...cases.map(({ held }) => held.rates)),
  };
}

/** Damages every answer of the spot side of all venues, field by field, and takes each into the tables of what is sold. */
export function soakSpot(options: SoakOptions): readonly SpotVenueSoak[] {
  const simulated = simulatedAnswers();
  const venues = SPOT_VENUES.filter(({ id }) => options.venue === undefined || options.venue === id);
  return venues.map((venue) => soakVenue(venue, simulated, options));
}
