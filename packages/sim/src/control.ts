import type { Clock } from '../../../src/domain/clock.ts';
import { isWire, readNumber, readText, type Wire } from '../../../src/domain/read.ts';
import { BOOK_FAULT_KINDS } from './books/book-faults.ts';
import type { Fault, FaultRule, Faults, RetryAfter } from './faults.ts';
import type { RequestLog } from './request-log.ts';
import type { SimResponse } from './venue.ts';
import type { World } from './world.ts';

/** Prefix of the endpoints that belong to the simulation itself. */
export const CONTROL_PREFIX = '/__sim';

export interface Controlled {
  readonly world: World;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly venues: readonly string[];
  /** Every period of the world is so many times its usual length. */
  readonly slowness: number;
}

/**
 * `GET health`, `GET log`, `GET faults`, `POST faults` (a rule; answers its id), `DELETE faults[?id=|?venue=]`.
 *
 * @param path behind the prefix
 */
export function control(
  sim: Controlled,
  method: string,
  path: string,
  query: URLSearchParams,
  body: string,
): SimResponse {
  const { faults, log, world, clock, venues, slowness } = sim;
  switch (`${method} ${path}`) {
    case 'GET /health':
      return json(200, {
        ok: true,
        simulated: true,
        note: 'simulated world: no value here was seen at any venue',
        seed: world.seed,
        now: clock.now(),
        venues,
        faults: faults.list().length,
        slowness,
      });
    case 'GET /log':
      return json(200, log.counts());
    case 'GET /faults':
      return json(200, faults.list());
    case 'POST /faults':
      return addFault(faults, venues, body);
    case 'DELETE /faults': {
      const id = query.get('id');
      const venue = query.get('venue');
      const cleared = faults.clear(
        (rule) => (id === null || rule.id === Number(id)) && (venue === null || rule.venue === venue),
      );
      return json(200, { cleared });
    }
    default:
      return json(404, { error: 'no such control' });
  }
}

function addFault(faults: Faults, venues: readonly string[], body: string): SimResponse {
  const rule = readRule(body);
  if (typeof rule === 'string') return json(400, { error: rule });
  if (!venues.includes(rule.venue)) return json(404, { error: `no venue ${rule.venue}` });
  return json(201, { id: faults.add(rule).id });
}

/** A rule from JSON, or what is wrong with it. */
function readRule(body: string): FaultRule | string {
  let raw: unknown;
  try {
    raw = JSON.parse(body);
  } catch {
    return 'the body is no JSON';
  }
  if (!isWire(raw)) return 'the body is no object';
  const venue = readText(raw.venue);
  const fault = isWire(raw.fault) ? readFault(raw.fault) : undefined;
  if (venue === undefined) return 'venue is missing';
  if (fault === undefined) return 'fault is missing, unknown or incomplete';
  const path = readText(raw.path);
  const match = readText(raw.body);
  const times = readNumber(raw.times);
  const every = readNumber(raw.every);
  const symbol = readText(raw.symbol);
  const forMs = readNumber(raw.forMs);
  const on = raw.on === 'rest' || raw.on === 'stream' ? raw.on : undefined;
  return {
    venue,
    fault,
    ...(path === undefined ? {} : { path }),
    ...(match === undefined ? {} : { body: match }),
    ...(on === undefined ? {} : { on }),
    ...(symbol === undefined ? {} : { symbol }),
    ...(times === undefined ? {} : { times }),
    ...(forMs === undefined ? {} : { forMs }),
    ...(every === undefined ? {} : { every: Math.max(1, Math.floor(every)) }),
  };
}

function readFault(raw: Wire): Fault | undefined {
  const ms = readNumber(raw.ms);
  const status = readNumber(raw.status);
  const bytes = readNumber(raw.bytes);
  const everyMs = readNumber(raw.everyMs);
  const at = readNumber(raw.at);
  switch (raw.kind) {
    case 'hang':
    case 'reset':
    case 'garbage':
    case 'truncated':
    case 'half-reset':
    case 'silence':
      return { kind: raw.kind };
    case 'delay':
      return ms === undefined ? undefined : { kind: 'delay', ms };
    case 'html':
      return status === undefined ? { kind: 'html' } : { kind: 'html', status };
    case 'stale':
      return at === undefined ? { kind: 'stale' } : { kind: 'stale', at };
    case 'oversize':
      return bytes === undefined ? undefined : { kind: 'oversize', bytes };
    case 'drip':
      return bytes === undefined || !(bytes >= 1) || everyMs === undefined
        ? undefined
        : { kind: 'drip', bytes: Math.floor(bytes), everyMs };
    case 'rename':
    case 'scale':
      return readFieldFault(raw.kind, raw);
    case 'status':
      return readStatusFault(raw, status);
    default:
      return readBookFault(raw, at);
  }
}

function readBookFault(raw: Wire, at: number | undefined): Fault | undefined {
  const kind = BOOK_FAULT_KINDS.find((kind) => kind === raw.kind);
  if (kind === 'book-frozen') return at === undefined ? { kind } : { kind, at };
  if (kind !== 'book-late-snapshot') return kind === undefined ? undefined : { kind };
  const behind = readNumber(raw.behind);
  return behind === undefined ? { kind } : { kind, behind };
}

function readFieldFault(kind: 'rename' | 'scale', raw: Wire): Fault | undefined {
  const field = readText(raw.field);
  const to = readText(raw.to);
  const by = readNumber(raw.by);
  if (field === undefined) return undefined;
  if (kind === 'rename') return to === undefined ? undefined : { kind, field, to };
  return by === undefined ? undefined : { kind, field, by };
}

function readStatusFault(raw: Wire, status: number | undefined): Fault | undefined {
  if (status === undefined || !(status >= 200 && status <= 599)) return undefined;
  const body = readText(raw.body);
  const location = readText(raw.location);
  const retryAfter = isWire(raw.retryAfter) ? readRetryAfter(raw.retryAfter) : undefined;
  return {
    kind: 'status',
    status: Math.floor(status),
    ...(body === undefined ? {} : { body }),
    ...(location === undefined ? {} : { location }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}

function readRetryAfter(raw: Wire): RetryAfter | undefined {
  const seconds = readNumber(raw.seconds);
  if (seconds !== undefined) return { seconds };
  const ms = readNumber(raw.ms);
  if (ms !== undefined) return { ms };
  const dateInMs = readNumber(raw.dateInMs);
  return dateInMs === undefined ? undefined : { dateInMs };
}

function json(status: number, value: unknown): SimResponse {
  return { status, body: JSON.stringify(value) };
}
