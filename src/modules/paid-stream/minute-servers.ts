import { type Meter, servedUntil } from './meter.ts';

/** A process that serves a minute, or has. */
interface Service {
  readonly by: string;
  /** The minute, by the paid minutes that were used once it had begun. */
  readonly used: number;
  /** When the minute is over, or was stopped, Unix ms. */
  readonly until: number;
}

/** A meter with the processes that serve its minutes: one that is killed has broken off each that it served. */
export interface Served {
  readonly meter: Meter;
  /** The process that has begun the minute which runs, or ran last, or a rest of it. */
  readonly servedBy: string | undefined;
  /** Others that have served the minute which runs. */
  readonly beside?: readonly string[];
  /** Services of minutes that are over or stopped, by processes that were not known to be there up to then. */
  readonly former?: readonly Service[];
}

/** When a process was last there, Unix ms; undefined where no minute of it can run. */
export type AliveAt = (owner: string) => number | undefined;

/** True of a process that has served the minute which runs, or ran last. */
export const isServer = ({ servedBy, beside = [] }: Served, owner: string): boolean =>
  servedBy === owner || beside.includes(owner);

/** The record with a process that is to serve the minute which runs; the record itself where that is noted, or none is. */
export const withServer = <R extends Served>(record: R, owner: string | undefined): R =>
  owner === undefined || isServer(record, owner)
    ? record
    : { ...record, beside: [...(record.beside ?? []), owner] };

/** Those that were kept, and those of the minute that runs or ran last, which is over by `end`: each of who was last there before. */
function unconfirmed({ meter, servedBy, beside = [], former = [] }: Served, end: number, aliveAt: AliveAt) {
  const until = Math.min(servedUntil(meter), end);
  const last = servedBy === undefined ? [] : [servedBy, ...beside];
  const services = [...former, ...last.map((by): Service => ({ by, used: meter.used, until }))];
  return services.filter((service) => (aliveAt(service.by) ?? Number.POSITIVE_INFINITY) < service.until);
}

/**
 * The record with its next meter. Where that ends or stops the minute that runs, its servers are kept until each is known to have
 * been there up to then: one of them may be dead, and not missed yet.
 */
export const withMeter = <R extends Served>(record: R, meter: Meter, now: number, aliveAt: AliveAt): R =>
  meter.endsAt === record.meter.endsAt
    ? { ...record, meter }
    : { ...record, meter, beside: [], former: unconfirmed(record, now, aliveAt) };

/** The minutes that processes have broken off which were last there at the given times, by their numbers as in `Service`. */
export const brokenOff = (record: Served, gone: ReadonlyMap<string, number>): ReadonlySet<number> =>
  new Set(unconfirmed(record, Number.POSITIVE_INFINITY, (owner) => gone.get(owner)).map(({ used }) => used));
