import type { SettledMeans } from '../../data/funding.ts';
import { bps, cost, percent, rounded, share, UNKNOWN, usd } from '../../text/number.ts';
import { sizeText } from '../../text/size.ts';
import { minute, moment, serverNow, span } from '../../text/time.ts';
import type { GridColumn } from './grid-canvas.ts';
import {
  type AssetLine,
  type Cell,
  type GridQuery,
  type Period,
  persistenceOf,
  type Scale,
  scaled,
} from './grid-model.ts';
import type { Spot } from './grid-props.ts';

export const SCALE_TEXT: Readonly<Record<Scale, string>> = {
  '8h': '8 h',
  interval: 'interval',
  '1h': '1 h',
  day: 'day',
  year: 'year',
};

export const PERIOD_TEXT: Readonly<Record<Period, string>> = {
  now: 'now',
  '1d': '1 d',
  '7d': '7 d',
  '30d': '30 d',
};

/** The unit of a scale's numbers. */
export const unitOf = (scale: Scale): string => `% per ${SCALE_TEXT[scale]}`;
/** A spread per interval would compare unlike things. */
const spreadUnit = (scale: Scale): string => unitOf(scale === 'interval' ? '8h' : scale);

export const spreadOf = (line: AssetLine, scale: Scale): number | null =>
  line.spread8h === null ? null : scaled(line.spread8h, scale);

interface Options {
  readonly query: Pick<GridQuery, 'scale' | 'period' | 'holdDays' | 'sizeUsd'>;
  /** When the costs of a size were bought, ms since 1970; undefined where they are of the present. */
  readonly costsAt?: number | undefined;
  readonly venues: readonly string[];
  /** Of the columns before the venues, those that are shown. */
  readonly isShown: (id: string) => boolean;
  readonly isNarrow: boolean;
}

/** Columns before the venues that a reader may leave out. */
export const SUMMARY_COLUMNS = [
  'spread',
  'net',
  'cost',
  'days',
  'held',
  'short',
  'long',
  'oi',
  'volume',
] as const;

/** The columns of the matrix: the asset, what its venues amount to, and each venue. */
export function matrixColumns({ query, costsAt, venues, isShown, isNarrow }: Options): readonly GridColumn[] {
  const { scale, period } = query;
  const rates = period === 'now' ? 'rate' : `mean of the payments of ${PERIOD_TEXT[period]}`;
  return [
    {
      id: 'asset',
      title: 'Asset',
      about: 'Ticker; the star marks a favourite',
      width: isNarrow ? 88 : 112,
      numeric: false,
    },
    ...[...spreadColumns(query, costsAt), ...LEG_COLUMNS, ...SIZE_COLUMNS].filter(({ id }) => isShown(id)),
    ...venues.map(
      (venue): GridColumn => ({
        id: venue,
        title: venue,
        about: `${venue}: ${rates}, ${unitOf(scale)}, with its own interval`,
        width: 76,
        numeric: true,
        venue,
      }),
    ),
  ];
}

const LEG_COLUMNS: readonly GridColumn[] = [
  {
    id: 'short',
    title: 'Short on',
    about: 'The venue that pays a short most (bar above its cell)',
    width: 104,
    numeric: false,
    text: (line) => line.short?.row.venue ?? UNKNOWN,
  },
  {
    id: 'long',
    title: 'Long on',
    about: 'The venue that costs a long least (bar below its cell)',
    width: 104,
    numeric: false,
    text: (line) => line.long?.row.venue ?? UNKNOWN,
  },
];

const SIZE_COLUMNS: readonly GridColumn[] = [
  {
    id: 'oi',
    title: 'Open int.',
    unit: 'USD',
    about: 'Sum over the venues that state it',
    width: 74,
    numeric: true,
    text: (line) => usd(line.openInterest),
  },
  {
    id: 'volume',
    title: 'Volume',
    unit: 'USD, 24 h',
    about: 'Sum over the venues that state it',
    width: 74,
    numeric: true,
    text: (line) => usd(line.volume),
  },
];

/** The cost of a size, and the days in which it is earned; nothing where no size is chosen. */
function costColumns({ sizeUsd }: Options['query'], costsAt: Options['costsAt']): readonly GridColumn[] {
  if (sizeUsd === undefined) return [];
  const size = sizeText(sizeUsd);
  const then = costsAt === undefined ? undefined : `as of ${moment(costsAt)}`;
  const ofThen = costsAt === undefined ? '' : `, ${minute(costsAt)}`;
  return [
    {
      id: 'cost',
      title: `Cost ${size}`,
      unit: `bps${ofThen}`,
      about: `Both legs of ${size} in and out: taker fees and slippage by ${then === undefined ? 'the present books' : `books ${then}`}, as the funding signal has them`,
      width: 84,
      numeric: true,
      text: ({ costBps }) => cost(costBps),
      why: ({ costWhy }) => costWhy,
    },
    {
      id: 'days',
      title: 'Even after',
      unit: `d${ofThen}`,
      about: `Days in which the spread pays what ${size} a leg cost${then === undefined ? '' : ` ${then}`}`,
      width: 74,
      numeric: true,
      text: ({ breakevenDays }) => rounded(breakevenDays),
      why: ({ costWhy }) => costWhy,
    },
  ];
}

/** The spread, what is left of it after fees, and how far it held. */
function spreadColumns(
  { scale, period, holdDays, sizeUsd }: Options['query'],
  costsAt: Options['costsAt'],
): readonly GridColumn[] {
  const rates = period === 'now' ? 'present rates' : `the means of ${PERIOD_TEXT[period]}`;
  const over = PERIOD_TEXT[persistenceOf(period)];
  return [
    {
      id: 'spread',
      title: 'Spread',
      unit: spreadUnit(scale),
      about: 'Highest less lowest rate, both scaled, of the venues that are fresh and comparable',
      width: 84,
      numeric: true,
      text: (line) => percent(spreadOf(line, scale)).replace('+', ''),
    },
    {
      id: 'net',
      title: `Net ${holdDays} d`,
      unit: 'bps',
      about: `Spread earned over ${holdDays} days at ${rates}, less taker fees of both legs in and out; before slippage`,
      width: 84,
      numeric: true,
      text: (line) => bps(line.netBps),
      sign: (line) => line.netBps,
    },
    ...costColumns({ scale, period, holdDays, sizeUsd }, costsAt),
    {
      id: 'held',
      title: `Held ${over}`,
      unit: '% of spread',
      about: `Persistence: what the same two venues paid apart over ${over} by settled funding, as a part of the spread; 100 = as much, negative = the other way`,
      width: 84,
      numeric: true,
      text: (line) => share(line.persistence),
      sign: (line) => ((line.persistence ?? 0) < 0 ? -1 : 0),
    },
  ];
}

const STATES: Readonly<Record<Cell['state'], string>> = {
  known: '',
  unknown: 'the rate is not known',
  stale: 'stale: no longer compared',
  uncomparable: 'not compared',
};

/** The payments of a contract, in one line. */
function describePaid(means: SettledMeans | undefined): string {
  if (means === undefined) return '';
  const { rate_8h_1d: day, rate_8h_7d: week, rate_8h_30d: month, null_reasons: reasons = {} } = means;
  const why = [...new Set(Object.values(reasons))].join(', ').replaceAll('_', ' ');
  const text = `paid, % per 8 h: ${percent(day)} in 1 d, ${percent(week)} in 7 d, ${percent(month)} in 30 d`;
  return why === '' ? text : `${text} (${UNKNOWN}: ${why})`;
}

/** All that is known of one cell, in lines. */
export function describeCell(
  line: AssetLine,
  cell: Cell | undefined,
  venue: string,
  { scale, period }: Pick<GridQuery, 'scale' | 'period'>,
): string {
  if (cell === undefined) return `${line.ticker} on ${venue}: not listed`;
  const { row, state, value, means } = cell;
  const hours = row.funding_interval_hours;
  const age =
    row.rate_updated_at === null
      ? 'unknown'
      : span(Math.max(0, serverNow() - Date.parse(row.rate_updated_at)));
  const reason = row.uncomparable_reason?.replaceAll('_', ' ');
  return [
    row.venue_symbol === ''
      ? `${line.ticker} on ${venue}`
      : `${line.ticker} on ${venue} (${row.venue_symbol}, ${row.quote})`,
    state === 'known' ? '' : `${STATES[state]}${reason === undefined ? '' : `: ${reason}`}`,
    `${percent(value)} ${unitOf(scale)}${period === 'now' ? '' : `, paid in ${PERIOD_TEXT[period]}`}`,
    `${percent(row.rate)} % per interval of ${hours ?? 'an unknown number of'} h`,
    describePaid(means),
    `next settlement ${row.next_funding_time === null ? 'unknown' : moment(row.next_funding_time)}`,
    `age ${age}, open interest ${usd(row.open_interest)}, volume ${usd(row.volume_24h)}`,
    cell === line.short ? 'the best short' : cell === line.long ? 'the best long' : '',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

export function describeSpot({ line, column }: Spot, query: Pick<GridQuery, 'scale' | 'period'>): string {
  if (column.venue !== undefined)
    return describeCell(line, line.cells.get(column.venue), column.venue, query);
  if (column.id === 'asset') return `${line.ticker} (${line.id}), ${line.cells.size} venues`;
  const why = column.why?.(line) ?? '';
  const unknown = why === '' ? '' : ` (${why})`;
  return `${line.ticker}: ${column.title} ${column.text?.(line) ?? ''} ${column.unit ?? ''}${unknown}`;
}
