import { iso, systemClock } from '../../domain/clock.ts';
import { changeIdentity, type IdentityRequest } from '../../market/change-identity.ts';
import type { OperatorDecision } from '../../market/operator-decisions.ts';
import type { Service } from '../../service/options.ts';
import type { AuditEntry, AuditLog } from './audit-log.ts';

/** Contracts that are listed at a time. */
const MOST_CONTRACTS = 300;
const LONGEST_TEXT = 200;

type Desk = Pick<Service, 'identities' | 'market'>;

/**
 * Contracts that are listed now with the asset behind each, and the decisions of operators, newest first.
 * @param wanted part of an id, a ticker, a venue or a venue's symbol, in any case
 */
export function operatorIdentities({ identities }: Desk, wanted: string) {
  const text = wanted.trim().toLowerCase();
  const found = identities.identity
    .latest()
    .filter(({ validTo }) => validTo === undefined)
    .filter(({ canonicalId, ticker, venue, symbol }) =>
      [canonicalId, ticker, venue, symbol].some((name) => name.toLowerCase().includes(text)),
    )
    .sort((a, b) => compare(a.canonicalId, b.canonicalId) || compare(a.venue, b.venue));
  return {
    total: found.length,
    contracts: found.slice(0, MOST_CONTRACTS).map((record) => ({
      canonical_id: record.canonicalId,
      ticker: record.ticker,
      venue: record.venue,
      symbol: record.symbol,
      basis: record.basis,
      valid_from: iso(record.validFrom),
    })),
    decisions: decisionsOf(identities.decisions.since(0)),
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function decisionsOf(all: readonly OperatorDecision[]) {
  return all.toReversed().map(({ sequence, at, action, reason, to, contracts }) => ({
    sequence,
    at: iso(at),
    action,
    reason,
    from: [...new Set(contracts.map(({ before }) => before))].join(' '),
    to: to.canonicalId,
    contracts: contracts.map(({ venue, symbol }) => `${venue} ${symbol}`),
  }));
}

/** What a request to change identities says, or undefined where it is none. */
interface Asked {
  readonly request: string;
  readonly reason: string;
  readonly change: IdentityRequest;
}

function readAsked(body: unknown): Asked | undefined {
  const fields = new Map(typeof body === 'object' && body !== null ? Object.entries(body) : []);
  const text = (name: string): string | undefined => {
    const value: unknown = fields.get(name);
    return typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_TEXT
      ? value
      : undefined;
  };
  const [request, reason] = [text('request'), text('reason')];
  const change = changeOf(text, fields);
  if (request === undefined || reason === undefined || change === undefined) return undefined;
  return { request, reason, change };
}

function changeOf(
  text: (name: string) => string | undefined,
  fields: ReadonlyMap<string, unknown>,
): IdentityRequest | undefined {
  const [action, from, to, venue, symbol] = ['action', 'from', 'to', 'venue', 'symbol'].map(text);
  const [venues, sequence] = [fields.get('venues'), fields.get('sequence')];
  if (action === 'undo' && typeof sequence === 'number') return { action, sequence };
  if (action === 'merge' && from !== undefined && to !== undefined) return { action, from, to };
  if (action === 'pin' && venue !== undefined && symbol !== undefined && to !== undefined) {
    return { action, venue: venue.toLowerCase(), symbol, to };
  }
  if (action !== 'split' || from === undefined || !Array.isArray(venues)) return undefined;
  const names = venues.filter((name) => typeof name === 'string').map((name) => name.toLowerCase());
  return { action, from, venues: names, ...(to !== undefined && { to }) };
}

function detailOf(change: IdentityRequest): string {
  if (change.action === 'undo') return `decision ${change.sequence}`;
  if (change.action === 'pin') return `${change.venue} ${change.symbol} to ${change.to}`;
  if (change.action === 'merge') return `${change.from} into ${change.to}`;
  return `${change.from} on ${change.venues.join(' ')}${change.to === undefined ? '' : ` to ${change.to}`}`;
}

/**
 * Carries out a change of identities once, and writes it to the audit log, also where it was refused. The same request
 * again gets the same entry. Undefined where the body is no such request.
 */
export function changeIdentities(
  { identities, market }: Desk,
  audit: AuditLog,
  body: unknown,
): AuditEntry | undefined {
  const asked = readAsked(body);
  if (asked === undefined) return undefined;
  const { request, reason, change } = asked;
  const known = audit.find(request);
  if (known !== undefined) return known;
  const now = systemClock.now();
  const made = changeIdentity(identities, change, reason, now);
  if (made.ok) market.readDecisions();
  const entry: AuditEntry = {
    ...{ at: iso(now), request, action: change.action, detail: detailOf(change), reason },
    ...(made.ok
      ? { decision: made.decision.sequence, contracts: made.decision.contracts.length }
      : { refused: made.error }),
  };
  audit.add(entry);
  return entry;
}
