import { bps, percent, UNKNOWN, usd } from '../../text/number.ts';
import { moment, span } from '../../text/time.ts';
import type { Spot } from './grid.tsx';
import type { GridColumn } from './grid-canvas.ts';
import { type AssetLine, type Cell, type Scale, scaled } from './grid-model.ts';

export const SCALE_TEXT: Readonly<Record<Scale, string>> = {
  '8h': '8 h',
  interval: 'interval',
  '1h': '1 h',
  day: 'day',
  year: 'year',
};

/** What numbers of a scale count. */
export const unitOf = (scale: Scale): string => `% per ${SCALE_TEXT[scale]}`;
/** A spread per interval would compare unlike things. */
const spreadUnit = (scale: Scale): string => unitOf(scale === 'interval' ? '8h' : scale);

export const spreadOf = (line: AssetLine, scale: Scale): number | null =>
  line.spread8h === null ? null : scaled(line.spread8h, scale);

interface Options {
  readonly scale: Scale;
  readonly holdDays: number;
  readonly venues: readonly string[];
  readonly venueName: (id: string) => string;
  readonly isNarrow: boolean;
}

/** The columns of the matrix: the asset, what its venues amount to, and each venue. */
export function matrixColumns({
  scale,
  holdDays,
  venues,
  venueName,
  isNarrow,
}: Options): readonly GridColumn[] {
  return [
    {
      id: 'asset',
      title: 'Asset',
      about: 'Ticker; the star marks a favourite',
      width: isNarrow ? 88 : 112,
      numeric: false,
    },
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
      about: `Spread earned over ${holdDays} days at present rates, less taker fees of both legs in and out; before slippage`,
      width: 84,
      numeric: true,
      text: (line) => bps(line.netBps),
      sign: (line) => line.netBps,
    },
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
    ...venues.map(
      (venue): GridColumn => ({
        id: venue,
        title: venue,
        about: `${venueName(venue)}: rate in ${unitOf(scale)}, with its own interval`,
        width: 76,
        numeric: true,
        venue,
      }),
    ),
  ];
}

const STATES: Readonly<Record<Cell['state'], string>> = {
  known: '',
  unknown: 'the rate is not known',
  stale: 'stale: no longer compared',
  uncomparable: 'not compared',
};

/** All that is known of one cell, in lines. */
export function describeCell(
  line: AssetLine,
  cell: Cell | undefined,
  venue: string,
  scale: Scale,
  now: number,
): string {
  if (cell === undefined) return `${line.ticker} on ${venue}: not listed`;
  const { row, state, value } = cell;
  const hours = row.funding_interval_hours;
  const age =
    row.rate_updated_at === null ? 'unknown' : span(Math.max(0, now - Date.parse(row.rate_updated_at)));
  const reason = row.uncomparable_reason?.replaceAll('_', ' ');
  return [
    `${line.ticker} on ${venue} (${row.venue_symbol}, ${row.quote})`,
    state === 'known' ? '' : `${STATES[state]}${reason === undefined ? '' : `: ${reason}`}`,
    `${percent(value)} ${unitOf(scale)}`,
    `${percent(row.rate)} % per interval of ${hours ?? 'an unknown number of'} h`,
    `next settlement ${row.next_funding_time === null ? 'unknown' : moment(row.next_funding_time)}`,
    `age ${age}, open interest ${usd(row.open_interest)}, volume ${usd(row.volume_24h)}`,
    cell === line.short ? 'the best short' : cell === line.long ? 'the best long' : '',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

export function describeSpot({ line, column }: Spot, scale: Scale, now: number): string {
  if (column.venue !== undefined)
    return describeCell(line, line.cells.get(column.venue), column.venue, scale, now);
  if (column.id === 'asset') return `${line.ticker} (${line.id}), ${line.cells.size} venues`;
  return `${line.ticker}: ${column.title} ${column.text?.(line) ?? ''} ${column.unit ?? ''}`;
}
