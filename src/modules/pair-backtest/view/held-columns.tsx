import type { ComponentChildren } from 'preact';
import type { BacktestPairAnswer } from '../../../../packages/client/src/routes.ts';
import { Bps, sideOf } from '../../../../web/parts/rate.tsx';
import type { Column } from '../../../../web/parts/table.tsx';
import { Unknown } from '../../../../web/parts/unknown.tsx';
import { cost, count, usdCents } from '../../../../web/text/number.ts';
import { moment } from '../../../../web/text/time.ts';

/** A position of some days, as the service's backtest found it. */
export interface Held {
  readonly days: number;
  readonly answer: BacktestPairAnswer;
}

type Money = Pick<
  BacktestPairAnswer,
  'short_funding_usd' | 'long_funding_usd' | 'fees_usd' | 'slippage_usd' | 'price_usd' | 'net_usd'
>;
type Reasons = Readonly<Record<string, string>> | undefined;

/** A column of dollars; null with its reason. */
function dollars<Row>(
  id: string,
  title: string,
  about: string,
  read: (row: Row) => readonly [value: number | null, why: string | undefined],
): Column<Row> {
  return {
    id,
    title,
    about,
    unit: 'USD',
    numeric: true,
    value: (row) => read(row)[0],
    show: (row): ComponentChildren => {
      const [value, why] = read(row);
      return value === null ? <Unknown why={why} /> : <span class={sideOf(value)}>{usdCents(value)}</span>;
    },
  };
}

const MONEY = [
  ['short_funding_usd', 'Short leg', 'Settled funding of the short leg: positive = received'],
  ['long_funding_usd', 'Long leg', 'Settled funding of the long leg: positive = received'],
  ['fees_usd', 'Fees', 'Taker fees of both legs'],
  ['slippage_usd', 'Slippage', 'Against the mid, by the stored books of the entry and of the exit'],
  ['price_usd', 'Prices', 'Rise of the long leg less rise of the short leg'],
  ['net_usd', 'Net', 'All of these together'],
] as const satisfies readonly (readonly [keyof Money, string, string])[];

const moneyColumns = <Row,>(
  read: (row: Row) => Money & { readonly null_reasons?: Reasons },
  /** The reason for which a row has no figures at all. */
  lacks: (row: Row) => string | undefined = () => undefined,
): readonly Column<Row>[] =>
  MONEY.map(([id, title, about]) =>
    dollars<Row>(id, title, about, (row) => {
      const none = lacks(row);
      const money = read(row);
      return none === undefined ? [money[id], money.null_reasons?.[id]] : [null, none];
    }),
  );

const tradeOf = ({ answer }: Held) => answer.trades[0];
const lacksTrade = (row: Held): string | undefined =>
  tradeOf(row) === undefined ? 'no settled spread is known' : undefined;

/** The known part of a position without a net. */
const knownPart = ({ answer }: Held): number =>
  MONEY.reduce((sum, [id]) => sum + (id === 'net_usd' ? 0 : (answer[id] ?? 0)), 0);

const settlements = (side: 'short' | 'long'): Column<Held> => ({
  id: `${side}_payments`,
  title: `Payments, ${side}`,
  numeric: true,
  about: 'Settled payments that are stored, of all settlements in the time: those without one count as 0',
  value: ({ answer }) => answer[side].payments,
  show: ({ answer: { [side]: leg } }) =>
    `${count(leg.payments)} of ${count(leg.payments + leg.missing_payments)}`,
});

const POSITION: Column<Held> = {
  id: 'days',
  title: 'Position',
  value: ({ days }) => days,
  show: ({ days }) => `${days} d`,
};

const netBps = ({ answer: { net_usd: net, size_usd: size } }: Held): number | null =>
  net === null ? null : (net / size) * 10_000;

/** The gains of positions. */
export const HELD_COLUMNS: readonly Column<Held>[] = [
  POSITION,
  ...moneyColumns<Held>(({ answer }) => answer, lacksTrade),
  {
    id: 'net_bps',
    title: 'Net',
    unit: 'bps',
    numeric: true,
    about: 'Of the notional of one leg',
    value: netBps,
    show: (row) => <Bps value={netBps(row)} />,
  },
  dollars<Held>(
    'known_usd',
    'Known part',
    'Sum of the parts that are known: the net where all are',
    (row) => [lacksTrade(row) === undefined ? knownPart(row) : null, lacksTrade(row)],
  ),
  dollars<Held>('max_drawdown_usd', 'Drawdown', 'Largest fall of the running sum of all flows', (row) => [
    row.answer.max_drawdown_usd === null || lacksTrade(row) !== undefined
      ? null
      : -row.answer.max_drawdown_usd,
    lacksTrade(row) ?? row.answer.null_reasons?.max_drawdown_usd,
  ]),
];

const ofLeg = (
  side: 'short' | 'long',
  name: 'hours_with_book' | 'taker_fee_bps',
  title: string,
  { show, ...more }: Pick<Column<Held>, 'unit' | 'about'> & { readonly show: (value: number) => string },
): Column<Held> => ({
  id: `${side}_${name}`,
  title: `${title}, ${side}`,
  numeric: true,
  ...more,
  value: ({ answer }) => answer[side][name],
  show: ({ answer }) => show(answer[side][name]),
});

const BOOK_HOURS = {
  unit: 'h',
  about: 'Hours of the position with a stored book that holds the size',
  show: count,
};
const FEE = { unit: 'bps', about: 'Taker fee that was charged at the end', show: cost };

/** The inputs of these figures. */
export const MADE_OF_COLUMNS: readonly Column<Held>[] = [
  POSITION,
  {
    id: 'opened_at',
    title: 'Opened',
    about: 'Where the stored past begins later than the position, it is opened then',
    value: (row) => tradeOf(row)?.opened_at,
    show: (row) => moment(tradeOf(row)?.opened_at),
  },
  {
    id: 'hours_held',
    title: 'Held',
    unit: 'h',
    numeric: true,
    value: ({ answer }) => answer.hours_held,
    show: ({ answer, days }) => `${count(answer.hours_held)} of ${count(days * 24)}`,
  },
  settlements('short'),
  settlements('long'),
  ofLeg('short', 'hours_with_book', 'Books', BOOK_HOURS),
  ofLeg('long', 'hours_with_book', 'Books', BOOK_HOURS),
  ofLeg('short', 'taker_fee_bps', 'Fee', FEE),
  ofLeg('long', 'taker_fee_bps', 'Fee', FEE),
  {
    id: 'assumed_fills',
    title: 'Fills assumed',
    unit: 'of 4',
    numeric: true,
    about: 'Fills whose slippage is the assumed one, since no stored book gives it',
    value: (row) => tradeOf(row)?.assumed_fills,
  },
];

type Day = BacktestPairAnswer['days'][number];

export const DAY_COLUMNS: readonly Column<Day>[] = [
  { id: 'date', title: 'Day', unit: 'UTC', value: ({ date }) => date },
  ...moneyColumns<Day>((day) => day),
  dollars<Day>('cumulative_usd', 'Running sum', 'Of the net, from the first day on', (day) => [
    day.cumulative_usd,
    day.null_reasons?.cumulative_usd,
  ]),
];
