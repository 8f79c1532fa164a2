import { iso, systemClock } from '../../domain/clock.ts';
import type { Service } from '../../host/options.ts';
import { changeIdentity, type IdentityRequest } from '../../market/change-identity.ts';
import type { OperatorDecision } from '../../market/stores.ts';
import type { AskedAction, OperatorAct } from './actions.ts';
import type { Decision, OperatorIdentities } from './schemas/records.ts';

/** Contracts that are listed at a time. */
const MAX_CONTRACTS = 300;

type IdentityParts = Pick<Service, 'identities' | 'market'>;

/**
 * Contracts that are listed now with the asset behind each, and the decisions of operators, newest first.
 * @param wanted part of an id, a ticker, a venue or a venue's symbol, in any case
 */
export function operatorIdentities(
  { identities }: IdentityParts,
  wanted: string,
): Omit<OperatorIdentities, 'allows_actions'> {
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
    contracts: found.slice(0, MAX_CONTRACTS).map((record) => ({
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

function decisionsOf(all: readonly OperatorDecision[]): Decision[] {
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

function changeOf({ text, fields }: AskedAction): IdentityRequest | undefined {
  const action = text('action');
  const from = text('from');
  const to = text('to');
  const venue = text('venue');
  const symbol = text('symbol');
  const venues = fields.get('venues');
  const sequence = fields.get('sequence');
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

/** A change of identities, and its entry, also where it was refused. Undefined where the body is no such request. */
export function identityAction(
  { identities, market }: IdentityParts,
  asked: AskedAction,
): OperatorAct | undefined {
  const change = changeOf(asked);
  if (change === undefined) return undefined;
  const said = { action: change.action, detail: detailOf(change) };
  return async () => {
    const made = await changeIdentity(identities, change, asked.reason, systemClock.now());
    if (!made.ok) return { ...said, refused: made.error };
    market.readDecisions();
    return { ...said, decision: made.decision.sequence, contracts: made.decision.contracts.length };
  };
}
