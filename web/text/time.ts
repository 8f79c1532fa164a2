import { useEffect, useState } from 'preact/hooks';
import { UNKNOWN } from './number.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
export const DAY_MS = 24 * HOUR;

/** The service's clock minus this machine's; differences within a few seconds are the network's. */
let ahead = 0;

/** Reads the service's clock off an answer. */
export function learnClock(dateHeader: string | null): void {
  const said = dateHeader === null ? Number.NaN : Date.parse(dateHeader);
  if (!Number.isFinite(said)) return;
  const difference = said - Date.now();
  ahead = Math.abs(difference) < 3 * SECOND ? 0 : difference;
}

/** Now by the service's clock, which is the clock of all its times. */
export const serverNow = (): number => Date.now() + ahead;

/** A span in its largest unit, two digits or more of it. */
export function span(ms: number): string {
  const length = Math.abs(ms);
  if (length < 100 * SECOND) return `${Math.floor(length / SECOND)} s`;
  if (length < 100 * MINUTE) return `${Math.floor(length / MINUTE)} min`;
  if (length < 48 * HOUR) return `${Math.floor(length / HOUR)} h`;
  return `${Math.floor(length / DAY_MS)} d`;
}

/** A span to its last second: 1:02:03. */
export function countdown(ms: number): string {
  const total = Math.max(0, Math.floor(ms / SECOND));
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${Math.floor(total / 3600)}:${two(Math.floor(total / 60) % 60)}:${two(total % 60)}`;
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short' });

/** A time in the reader's zone, with UTC beside it. */
export function moment(at: number | string | null | undefined): string {
  const time = typeof at === 'string' ? Date.parse(at) : (at ?? Number.NaN);
  if (!Number.isFinite(time)) return UNKNOWN;
  const utc = new Date(time).toISOString();
  return `${day.format(time)} ${clock.format(time)} (${utc.slice(11, 19)} UTC)`;
}

const hourAndMinute = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** A time of a day in the reader's zone, to the minute, where there is little place; its `moment` goes with it. */
export const minute = (at: number): string => hourAndMinute.format(at);

/** Renders again every so often; gives now by the service's clock. */
export function useNow(everyMs = SECOND): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
