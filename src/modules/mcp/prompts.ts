import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';

interface Analysis {
  readonly definition: Prompt;
  readonly text: (given: Readonly<Record<string, string>>) => string;
}

const argument = (name: string, description: string, required = false) => ({ name, description, required });

/** Three analyses with the calls, what they cost in number, and the arithmetic, worked on round figures. */
const ANALYSES: readonly Analysis[] = [
  {
    definition: {
      name: 'funding_carry',
      title: 'Is a funding spread worth holding?',
      description:
        'Funding spread of one asset between two venues, its stability and the cost of entry and exit.',
      arguments: [
        argument('ticker', 'Base asset, e.g. BTC', true),
        argument('days', 'Days to hold; default 7'),
      ],
    },
    text: ({
      ticker,
      days = '7',
    }) => `Judge whether a funding spread of ${ticker} is worth holding for ${days} days. Two paid calls.
1. funding_history, product perp-spread-stats, ticker ${ticker}: long and short venue, spread_8h_bps (both legs per 8 h) and, of each window of days, positive_pct, the share of time in which the short leg received more than the long leg paid. null: say why by its reason, and stop where it is the spread.
2. execution, product orderbook-multi-venue-slippage, ticker ${ticker}, size_usd 10000: add slippage and taker fee of both venues, twice, for entry and exit.
Gross bps over the time = spread per 8 h x 3 x days. Worked: 2 bps per 8 h over 7 days = 2 x 3 x 7 = 42 bps; costs of 6 bps a leg = 6 x 2 legs x 2 = 24 bps; 18 bps remain, 18 / 7 x 365 / 100 = 9.4 % a year.
Report gross, costs, net, the share of time with the same sign, missing venues, and what is left out: price differences between the legs, margin, and rates that change.`,
  },
  {
    definition: {
      name: 'size_entry',
      title: 'Where to enter a size',
      description: 'Cost of a market order on the best venue, against a split over venues.',
      arguments: [
        argument('ticker', 'Base asset, e.g. BTC', true),
        argument('side', 'buy or sell; default buy'),
        argument('size_usd', '1000, 5000 or 10000; default 10000'),
      ],
    },
    text: ({
      ticker,
      side = 'buy',
      size_usd = '10000',
    }) => `Find where to ${side} ${size_usd} USD of ${ticker} at market. Two paid calls.
1. execution, product orderbook-best-execution, ticker ${ticker}, side ${side}, size_usd ${size_usd}, rank_by all_in: the one venue that is cheapest with its taker fee.
2. execution, product orderbook-multi-venue-execution, ticker ${ticker}, side ${side}, size_usd ${size_usd}, rank_by all_in, split true: the same over several venues.
Cost in USD = size x all-in bps / 10000. Worked: 10000 USD at 6.5 bps = 6.50 USD; split at 5.9 bps = 5.90 USD, 0.60 USD less for more orders.
A 404 says that no venue fills the size: try a smaller one. Report both costs, the difference, the age of the books (as_of) and missing venues. Books move: the answer is of the moment, funding and latency are left out.`,
  },
  {
    definition: {
      name: 'pair_backtest',
      title: 'Back-test a funding pair',
      description: 'What long on one venue and short on another would have received in funding.',
      arguments: [
        argument('ticker', 'Base asset, e.g. BTC', true),
        argument('long_venue', 'Venue of the long leg', true),
        argument('short_venue', 'Venue of the short leg', true),
        argument('from', 'ISO 8601', true),
        argument('to', 'ISO 8601', true),
      ],
    },
    text: ({
      ticker,
      long_venue,
      short_venue,
      from,
      to,
    }) => `Back-test long ${ticker} on ${long_venue} against short on ${short_venue} from ${from} to ${to}. Two paid calls.
1. backtest_data, product backtest-data, ticker ${ticker}, venue ${long_venue}, from ${from}, to ${to}, granularity 4h: the series of the long leg.
2. backtest_data, product backtest-data, ticker ${ticker}, venue ${short_venue}, from ${from}, to ${to}, granularity 4h: that of the short leg.
Join the rows by ts; leave out a bucket that either venue lacks, and count what was left out. settled_payments 0 adds nothing; where it is 0 throughout, no payments are known of that venue: say so and stop.
Per bucket the pair receives settled_funding_rate x settled_payments of the short venue less the same of the long venue. The sum is a fraction of one leg's size. Worked: 0.00012 x 2 - 0.00005 x 2 = 0.00014 = 1.4 bps, 1.40 USD on legs of 10000 USD.
Price moves of the legs cancel but for their difference: perp_price of the short venue over that of the long, last against first; 1.0004 to 1.0001 is 3 bps gained.
Report funding, price difference, both together, buckets used and left out, completeness_pct, and that fees, slippage and margin are left out.`,
  },
];

export const PROMPTS: readonly Prompt[] = ANALYSES.map(({ definition }) => definition);

/** A prompt with its arguments filled in; the names of required arguments that are missing; undefined: no such prompt. */
export function promptOf(
  name: string,
  given: Readonly<Record<string, string>>,
): GetPromptResult | readonly string[] | undefined {
  const analysis = ANALYSES.find(({ definition }) => definition.name === name);
  if (analysis === undefined) return undefined;
  const { arguments: declared = [], description } = analysis.definition;
  const missing = declared
    .filter((argument) => argument.required === true && !given[argument.name])
    .map((argument) => argument.name);
  if (missing.length > 0) return missing;
  const text = analysis.text(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')));
  return {
    ...(description !== undefined && { description }),
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}
