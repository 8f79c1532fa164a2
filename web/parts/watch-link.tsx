import type { JSX } from 'preact';
import { hasView, linkTo, type Patch } from '../place.ts';

/** A condition as its view fills it in. */
interface WatchedCondition {
  readonly kind: string;
  /** Canonical id, since a ticker may mean several. */
  readonly ticker: string;
  /** Venues with commas; undefined = all. */
  readonly venue?: string | undefined;
  /** The present value in the unit of the kind; unknown names no level. */
  readonly now?: number | null | undefined;
}

const VIEW = 'watch';
const BEYOND = 1.5;

/** A level beyond a value, away from zero: half as much again, to one digit. Of zero and the unknown there is none. */
export function levelBeyond(value: number | null | undefined): Patch {
  if (value === null || value === undefined || value === 0 || !Number.isFinite(value)) return {};
  const level = String(Number((value * BEYOND).toPrecision(1)));
  return value > 0 ? { 'p.above': level } : { 'p.below': level };
}

/** Leads to where a condition is watched, filled in. Nothing where the service has no such view. */
export function WatchLink(props: WatchedCondition & { readonly what: string }): JSX.Element | null {
  const { kind, ticker, venue, now, what } = props;
  if (!hasView(VIEW)) return null;
  const asked = { 'p.kind': kind, 'p.ticker': ticker, 'p.venue': venue, ...levelBeyond(now) };
  return (
    <a href={linkTo(VIEW, asked)}>
      Watch<span class="unseen"> {what}</span>
    </a>
  );
}
