import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { WatchLink } from '../../parts/watch-link.tsx';
import { change, linkTo } from '../../place.ts';
import { bps, cost, percent, rounded, UNKNOWN } from '../../text/number.ts';
import { sizeText } from '../../text/size.ts';
import { LINE_PX } from './grid-canvas.ts';
import type { AssetLine, GridQuery } from './grid-model.ts';
import type { Corner } from './grid-props.ts';
import { describeCell } from './matrix-columns.ts';
import type { Lines } from './matrix-view.ts';

interface DetailProps {
  readonly lines: Lines;
  readonly query: GridQuery;
  readonly id: string | null;
  readonly venue: string | null;
  /** Of the chosen cell; without it the detail is at the lower edge. */
  readonly corner: Corner | undefined;
}

/** Puts the detail under its cell, or above it where there is no room, always within the matrix. */
function usePlaceBeside(corner: Corner | undefined, shown: unknown) {
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const own = box.current;
    const around = own?.parentElement;
    if (!own || !around) return;
    const room = around.clientHeight - own.offsetHeight;
    const { x, y } = corner ?? { x: 0, y: room };
    const top = y <= room ? y : y - LINE_PX - own.offsetHeight;
    own.style.left = `${Math.max(0, Math.min(x, around.clientWidth - own.offsetWidth))}px`;
    own.style.top = `${Math.max(0, Math.min(top, room))}px`;
  }, [corner, shown]);
  return box;
}

/** The costs of a size, in words. */
const costWords = ({ costBps, breakevenDays, costWhy }: AssetLine, sizeUsd: number): string =>
  costBps === null
    ? `Costs of ${sizeText(sizeUsd)} a leg: unknown, ${costWhy}.`
    : `Costs of ${sizeText(sizeUsd)} a leg: ${cost(costBps)} bps in and out, with fees; even after ${rounded(breakevenDays)} d.`;

const close = (): void => change({ at: undefined, venue: undefined });

/** The choice in words; of a cell that is none, of its line. */
const words = (line: AssetLine, venue: string | null, query: GridQuery): string =>
  venue === null
    ? `${line.ticker}: ${percent(line.spread8h)} % per 8 h`
    : describeCell(line, line.cells.get(venue), venue, query);

/** The choice in the matrix, beside its cell, and links from there. A screen reader reads it once, and not each time that a rate changes. */
export function Detail(props: DetailProps): JSX.Element {
  const { lines, query, id, venue } = props;
  const line = id === null ? undefined : lines.withId(id);
  const said = useMemo(() => line && words(line, venue, query), [line?.id, venue]);
  return (
    <>
      <p class="unseen" role="status">
        {said}
      </p>
      {line !== undefined && <Chosen {...props} line={line} />}
    </>
  );
}

/** Leads to a watch of the rate that is chosen, or of the asset's spread. */
function WatchChosen({ line, venue }: { line: AssetLine; venue: string | null }): JSX.Element {
  const { id, spread8h, cells } = line;
  const cell = venue === null ? undefined : cells.get(venue);
  if (venue === null || cell === undefined) {
    const now = spread8h === null ? null : spread8h * 10_000;
    return <WatchLink kind="spread" ticker={id} now={now} what="the asset's spread" />;
  }
  return <WatchLink kind="funding" ticker={id} venue={venue} now={cell.row.rate_8h} what="the chosen rate" />;
}

function Chosen({ line, query, id, venue, corner }: DetailProps & { line: AssetLine }): JSX.Element {
  const box = usePlaceBeside(corner, `${id} ${venue}`);
  const asset = { ticker: line.ticker, id: line.id };
  return (
    <section
      ref={box}
      class="notice detail"
      aria-label="Chosen"
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <h2>
        {line.ticker} <small>{line.id}</small>
      </h2>
      {venue !== null && <pre>{describeCell(line, line.cells.get(venue), venue, query)}</pre>}
      <p>
        Short {line.short?.row.venue ?? UNKNOWN}, long {line.long?.row.venue ?? UNKNOWN}:{' '}
        {percent(line.spread8h)} % per 8 h, {bps(line.netBps)} bps net of fees over {query.holdDays} d.
        {query.sizeUsd !== undefined && ` ${costWords(line, query.sizeUsd)}`}
      </p>
      <p class="links">
        <a href={linkTo('asset', asset)}>All venues of {line.ticker}</a>
        {line.short !== undefined && line.long !== undefined && (
          <a href={linkTo('pair', { ...asset, short: line.short.row.venue, long: line.long.row.venue })}>
            The pair
          </a>
        )}
        <WatchChosen line={line} venue={venue} />
        <button type="button" class="quiet" onClick={close}>
          Close
        </button>
      </p>
    </section>
  );
}
