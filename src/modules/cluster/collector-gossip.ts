import { isWire, readText, wireArray } from '../../domain/read.ts';
import type { VenueId } from '../../domain/venue.ts';
import { MOVE_REASONS } from '../../feed/ports.ts';
import type { CollectorReport, Move } from './balance-leases.ts';

/** Messages between collectors. */
export type CollectorGossip =
  /** `asks`: what the sender would take; `epochs`: of the venues that it holds. */
  | { readonly report: CollectorReport; readonly asks: readonly Move[]; readonly epochs: Epochs }
  | { readonly given: Move; readonly lease: number };

type Epochs = Readonly<Record<VenueId, number>>;

/** Another collector's message; undefined where it is in no known form. */
export function readGossip(value: unknown): CollectorGossip | undefined {
  if (!isWire(value)) return undefined;
  const { given, lease, report, asks, epochs } = value;
  if (isMove(given)) return Number.isSafeInteger(lease) ? { given, lease: lease as number } : undefined;
  if (!isReport(report)) return undefined;
  // A build from before it says no epochs.
  return { report, asks: (wireArray(asks) ?? []).filter(isMove), epochs: isNumbers(epochs) ? epochs : {} };
}

function isMove(value: unknown): value is Move {
  if (!isWire(value)) return false;
  const named = [value.venue, value.from, value.to].every((name) => readText(name) !== undefined);
  return named && MOVE_REASONS.some((reason) => reason === value.reason);
}

function isReport(value: unknown): value is CollectorReport {
  if (!isWire(value) || readText(value.name) === undefined) return false;
  const { held, reach, settledMs, overloadedMs, calmMs } = value;
  const isWhole =
    [settledMs, overloadedMs].every(Number.isFinite) && (calmMs === null || Number.isFinite(calmMs));
  return isWhole && isNumbers(held) && isNumbers(reach);
}

const isNumbers = (value: unknown): value is Epochs =>
  isWire(value) && Object.values(value).every(Number.isFinite);
