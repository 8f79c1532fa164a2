import type { SpotHistoryAnswer } from '../../../../packages/client/src/routes.ts';
import { type Series, seconds } from '../../../../web/data/series.ts';

type Past = Pick<SpotHistoryAnswer, 'hours'>;
type Hour = Past['hours'][number];

/** The last second of an hour is the next one's first. */
const HOUR_SECONDS = 3600;

/** A line of known hours and of those in between that are not known, which are gaps. */
function lineOf(label: string, hours: readonly Hour[], read: (hour: Hour) => number | null): Series {
  const values = new Map(hours.map((hour) => [seconds(hour.hour_start), read(hour)]));
  const starts = [...values.keys()];
  const [first] = starts;
  const last = starts.at(-1);
  if (first === undefined || last === undefined) return { label, times: [], values: [] };
  const times = Array.from(
    { length: (last - first) / HOUR_SECONDS + 1 },
    (_, at) => first + at * HOUR_SECONDS,
  );
  return { label, times, values: times.map((time) => values.get(time) ?? null) };
}

/** The perpetual above spot, bps, hour by hour. */
export const gapLine = ({ hours }: Past): Series =>
  lineOf('perpetual above spot', hours, (hour) => hour.gap_bps);

/** The last price of each hour, in the currency of the market. */
export const priceLine = ({ hours }: Past): Series => lineOf('spot', hours, ({ price }) => price);

const HOURS_A_YEAR = 8760;

/** The borrow rate of each hour, percent a year. */
export const borrowLine = ({ hours }: Past): Series =>
  lineOf('borrow', hours, ({ borrow_hourly: rate }) => (rate === null ? null : rate * HOURS_A_YEAR * 100));
