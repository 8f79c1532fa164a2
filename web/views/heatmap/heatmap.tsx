import type { JSX } from 'preact';
import type { PerpFundingHeatmapAnswer } from '../../../packages/client/src/routes.ts';
import { useAnswer } from '../../data/answers.ts';
import { Choices, TableButton, VenueField } from '../../parts/fields.tsx';
import { Shown } from '../../parts/states.tsx';
import { type Column, csvOf, Table } from '../../parts/table.tsx';
import { Tools } from '../../parts/tools.tsx';
import { change, choice, usePlace } from '../../place.ts';
import { bps, cost, count, usd } from '../../text/number.ts';
import { HeatMap } from './heat-map.tsx';
import { columnText, fromNow, fullColour, type HeatRow, heatRows } from './heat-rows.ts';

const STEPS = ['1d', '1h'] as const;
const SIZES = ['20', '50'] as const;
const EVERY_MS = 60_000;

/** Settled funding of the largest assets over time: of one venue, or the widest spread between two. */
export function Heatmap(): JSX.Element {
  const { params } = usePlace();
  const step = choice(params, 'step', STEPS);
  const limit = choice(params, 'limit', SIZES);
  const venue = params.get('venue') ?? '';
  const asked = new URLSearchParams({ step, limit, ...(venue !== '' && { venue }) });
  const path = `/v1/perp/funding-heatmap?${asked}`;
  return (
    <>
      <div class="head">
        <h1>Funding heatmap</h1>
      </div>
      <div class="bar">
        <VenueField all="widest spread of two venues" />
        <Choices
          label="By"
          words={STEPS}
          chosen={step}
          text={(word) => (word === '1d' ? 'day, 30 days' : 'hour, 2 days')}
          choose={(word) => change({ step: word === STEPS[0] ? undefined : word })}
        />
        <Choices
          label="Assets"
          words={SIZES}
          chosen={limit}
          choose={(word) => change({ limit: word === SIZES[0] ? undefined : word })}
        />
      </div>
      <Shown answer={useAnswer<PerpFundingHeatmapAnswer>(path, EVERY_MS)} what="the funding heatmap">
        {(answer) => <Board answer={fromNow(answer)} path={path} />}
      </Shown>
    </>
  );
}

/** The heatmap as a table: one column a day or hour. */
function heatColumns(answer: PerpFundingHeatmapAnswer): readonly Column<HeatRow>[] {
  return [
    { id: 'asset', title: 'Asset', value: ({ ticker }) => ticker },
    { id: 'canonical_id', title: 'Id', value: ({ id }) => id },
    {
      id: 'open_interest',
      title: 'Open interest',
      unit: 'USD',
      numeric: true,
      value: ({ openInterest }) => openInterest,
      show: ({ openInterest }) => usd(openInterest),
    },
    ...answer.columns.map(
      (start, at): Column<HeatRow> => ({
        id: start,
        title: columnText(start, answer.step),
        numeric: true,
        value: ({ values }) => values[at],
        show: ({ values }) => bps(values[at]),
      }),
    ),
  ];
}

interface BoardProps {
  readonly answer: PerpFundingHeatmapAnswer;
  readonly path: string;
}

function Board({ answer, path }: BoardProps): JSX.Element {
  const { params } = usePlace();
  const rows = heatRows(answer);
  const columns = heatColumns(answer);
  const asTable = params.has('table');
  return (
    <>
      <Head answer={answer} path={path} rows={rows} columns={columns} />
      {asTable ? (
        <Table
          id="heatmap"
          caption="Funding heatmap"
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          first="-open_interest"
        />
      ) : (
        <HeatMap answer={answer} rows={rows} />
      )}
      <p class="fine">{answer.note}</p>
    </>
  );
}

interface HeadProps extends BoardProps {
  readonly rows: readonly HeatRow[];
  readonly columns: readonly Column<HeatRow>[];
}

function Head({ answer, path, rows, columns }: HeadProps): JSX.Element {
  return (
    <div class="head">
      <p class="fine" role="status">
        {count(rows.length)} assets by open interest, bps per 8 h; full colour from{' '}
        {answer.of === 'rate' && '±'}
        {cost(fullColour(rows))}
      </p>
      <ul class="legend" aria-label="Legend">
        <li>
          <i class="key key-positive" /> {answer.of === 'spread' ? 'spread' : 'longs paid'}
        </li>
        {answer.of === 'rate' && (
          <li>
            <i class="key key-negative" /> shorts paid
          </li>
        )}
        <li>
          <i class="key key-unknown" /> no payment known
        </li>
      </ul>
      <div class="tools">
        <TableButton canvas="heatmap" />
        <Tools name="funding-heatmap" csv={() => csvOf(columns, rows)} paths={[path]} />
      </div>
    </div>
  );
}
