import type { PublishedBounds } from '../../src/domain/funding-bounds.ts';
import type { PublishedStamp, PublishedStamps } from '../../src/domain/stamp.ts';
import type { BackfillKind } from '../../src/venues/backfill-endpoint.ts';
import { termProblems } from './terms-check.ts';
import type { CheckInput, VenueCheck } from './venue-checks.ts';
import { readVenuePage } from './venue-page.ts';

const STAMPED = {
  funding: 'funding',
  mark: 'price',
  interest: 'openInterest',
  volume: 'volume',
} as const satisfies Record<BackfillKind, keyof PublishedStamps>;

/** A declaration as VENUE.md writes it. */
export const stampLine = (kind: string, { means, confidence, evidence }: PublishedStamp): string =>
  `- ${kind}: ${means} (${confidence}). ${evidence}`;

/** Every kind of past rows has a declared meaning of its stamps, with evidence, on the venue's page as in its table. */
function stamps({ adapter }: CheckInput): string[] {
  const declared = adapter.stamps ?? {};
  const missing = (adapter.backfill ?? []).filter(({ kind }) => declared[STAMPED[kind]] === undefined);
  const text = readVenuePage(adapter)?.text.replaceAll(/\s+/g, ' ');
  const unsaid = Object.entries(declared).filter(
    ([kind, stamp]) => text !== undefined && !text.includes(stampLine(kind, stamp)),
  );
  return [
    ...missing.map(({ kind }) => `${kind}: what its stamps mark is not declared`),
    ...unsaid.map(([kind, stamp]) => `VENUE.md lacks: ${stampLine(kind, stamp)}`),
  ];
}

/** The place of a rate's published bounds, as VENUE.md writes it. */
export const boundsLine = ({ field, confidence, evidence }: PublishedBounds): string =>
  `- Cap and floor of the rate: ${field === undefined ? 'none' : field} (${confidence}). ${evidence}`;

/** Share of the live contracts that a venue which publishes bounds states them of at least; some have none. */
const BOUNDED = 0.5;

/** Cap and floor are declared, with evidence, and read where they are published; no sound rate lies beyond them. */
function bounds({ adapter, run, truth }: CheckInput): string[] {
  const declared = adapter.fundingBounds;
  if (declared === undefined) return adapter.stamps === undefined ? [] : ['no word on cap and floor'];
  const text = readVenuePage(adapter)?.text.replaceAll(/\s+/g, ' ');
  const line = boundsLine(declared);
  const unsaid = text?.includes(line) === false ? [`VENUE.md lacks: ${line}`] : [];
  const live = truth.filter((row) => row.live);
  const read = live.flatMap(({ symbol, fundingRate }) => {
    const quote = run.quotes.get(symbol);
    const instrument = run.instruments.get(symbol);
    const cap = quote?.fundingCap ?? instrument?.fundingCap;
    const floor = quote?.fundingFloor ?? instrument?.fundingFloor;
    return cap === undefined || floor === undefined ? [] : [{ symbol, fundingRate, cap, floor }];
  });
  if (declared.field === undefined)
    return [...unsaid, ...read.map(({ symbol }) => `${symbol}: bounds that are not declared`)];
  const few = read.length < BOUNDED * live.length ? [`bounds of ${read.length} of ${live.length}`] : [];
  const beyond = read.filter(({ fundingRate, cap, floor }) => fundingRate > cap || fundingRate < floor);
  const mirrored = read.filter(({ cap, floor }) => !(cap > 0 && floor < 0 && cap < 0.1 && floor > -0.1));
  return [
    ...unsaid,
    ...few,
    ...beyond.map(
      ({ symbol, fundingRate, cap, floor }) => `${symbol}: ${fundingRate} not in ${floor}..${cap}`,
    ),
    ...mirrored.map(({ symbol, cap, floor }) => `${symbol}: cap ${cap}, floor ${floor}`),
  ];
}

/** The checks of what a venue declares of itself. */
export const DECLARATION_CHECKS: readonly VenueCheck[] = [
  { name: 'declares what the stamps of its past mark', problems: stamps },
  { name: 'declares cap and floor of the rate, and reads them where they are published', problems: bounds },
  { name: 'declares the terms of contracts, and reads those that are stated', problems: termProblems },
];
