import type { AssetClass } from '../domain/instrument.ts';
import type { UnixMs } from '../domain/units.ts';
import { reasonOf } from '../runtime/reason-of.ts';
import { slugOf } from './decide-identity.ts';
import type { InstrumentIdentities } from './identity.ts';
import { applyDecision, decisionTime } from './operator-decisions.ts';
import { createRegistry, type Registry } from './registry/lookup.ts';
import { splitId } from './split.ts';
import type {
  ChangedContract,
  DecisionStore,
  IdentityRecord,
  OperatorAction,
  OperatorDecision,
} from './stores.ts';

/** An operator's request. Ids are `<asset_class>:<SLUG>`. */
export type IdentityRequest =
  | { readonly action: 'pin'; readonly venue: string; readonly symbol: string; readonly to: string }
  | { readonly action: 'merge'; readonly from: string; readonly to: string }
  | {
      readonly action: 'split';
      readonly from: string;
      readonly venues: readonly string[];
      readonly to?: string;
    }
  /** Gives the contracts of a decision what they had before it. */
  | { readonly action: 'undo'; readonly sequence: number };

export type IdentityChange =
  | { readonly ok: true; readonly decision: OperatorDecision }
  | { readonly ok: false; readonly error: string };

/** Stores and tables that a change touches. */
export interface IdentityServices {
  readonly identity: InstrumentIdentities;
  readonly decisions: DecisionStore;
  readonly registry?: Registry;
  /** Of a store that hosts share: resolved when the book has what all of them did and what this one asked for. */
  readonly catchUp?: () => Promise<void>;
}

/** The slug is any that a venue's name may become: 币安人生. */
const ID = /^(crypto|equity|index|commodity|fx|etf|prelaunch|unknown):([^:~]+)(~\d+)?$/;

/**
 * Records what an operator decides and carries it out. The record is written first: a process that dies in
 * between carries it out when it reads the record. Where another host decides at the same moment, one of them
 * decides again. Errors: an id that is none, a contract or id that nothing listed has, a change that changes
 * nothing, a store that does not answer.
 */
export async function changeIdentity(
  services: IdentityServices,
  request: IdentityRequest,
  reason: string,
  now: UnixMs,
): Promise<IdentityChange> {
  const { identity, decisions, catchUp = async () => {} } = services;
  try {
    for (;;) {
      await catchUp();
      const taken = decisions.since(0);
      for (const decision of taken) applyDecision(identity, decision);
      await catchUp();
      const decided = decide(services, request, reason, now);
      if (typeof decided === 'string') return { ok: false, error: decided };
      const decision = { ...decided, sequence: taken.length + 1 };
      if (!(await decisions.append(decision))) continue;
      applyDecision(identity, decision);
      // It is taken: who cannot be reached now hears of it later.
      await catchUp().catch(() => {});
      return { ok: true, decision };
    }
  } catch (cause) {
    return { ok: false, error: `${reasonOf(cause)}; \`identity log\` says whether it was recorded` };
  }
}

type Unnumbered = Omit<OperatorDecision, 'sequence'>;

/** The decision to record, or the reason why there is none. */
function decide(
  services: IdentityServices,
  request: IdentityRequest,
  reason: string,
  now: UnixMs,
): Unnumbered | string {
  const { identity, registry = createRegistry() } = services;
  if (reason.trim() === '') return 'a change needs a reason';
  const listed = identity.latest().filter(({ validTo }) => validTo === undefined);
  if (request.action === 'undo') return undo(services, listed, request.sequence, reason, now);
  const target = targetOf(request, listed);
  const to = assetOf(target, listed, registry);
  if (to === undefined) return `"${target}" is no id; ids look like crypto:BTC or equity:NVDA`;
  const found = contractsOf(request, listed);
  if (found.length === 0) return nothingFound(request);
  const contracts = found
    .filter(({ canonicalId }) => canonicalId !== target)
    .map(({ venue, symbol, canonicalId }): ChangedContract => ({ venue, symbol, before: canonicalId }));
  // A pin of what is so already still holds it against rules to come.
  const pinned = request.action === 'pin' && found.some(({ basis }) => basis !== 'operator');
  const kept = pinned && contracts.length === 0 ? found.map(asChanged) : contracts;
  if (kept.length === 0) return `nothing to change: all of it is ${target} already`;
  const action: OperatorAction = request.action;
  return {
    at: decisionTime(identity, kept, now),
    action,
    reason: reason.trim(),
    to,
    ...(request.action === 'merge' ? { from: request.from } : {}),
    contracts: kept,
  };
}

/** An undo is a decision of its own: nothing is taken out of the log. */
function undo(
  { identity, decisions }: IdentityServices,
  listed: readonly IdentityRecord[],
  sequence: number,
  reason: string,
  now: UnixMs,
): Unnumbered | string {
  const undone = decisions.since(0).find((decision) => decision.sequence === sequence);
  if (undone === undefined) return `there is no decision ${sequence}`;
  if (undone.action === 'undo') return `decision ${sequence} is an undo; decide again instead`;
  const given = undone.to.canonicalId;
  const isOf =
    ({ venue, symbol }: IdentityRecord) =>
    (contract: ChangedContract) =>
      contract.venue === venue && contract.symbol === symbol && contract.before !== given;
  const found = listed.filter(
    (record) => record.canonicalId === given && undone.contracts.some(isOf(record)),
  );
  const [first] = found;
  // A decision is about contracts of one asset: all of them had the same id before.
  const before = undone.contracts[0]?.before;
  const earlier =
    first &&
    identity.recordsOf(first.venue, first.symbol).findLast(({ canonicalId }) => canonicalId === before);
  if (earlier === undefined) return `nothing to undo: no contract is ${given} by decision ${sequence}`;
  const { canonicalId, ticker, assetClass } = earlier;
  const contracts = found.map(asChanged);
  return {
    at: decisionTime(identity, contracts, now),
    action: 'undo',
    reason: reason.trim(),
    to: { canonicalId, ticker, assetClass },
    contracts,
  };
}

function asChanged({ venue, symbol, canonicalId }: IdentityRecord): ChangedContract {
  return { venue, symbol, before: canonicalId };
}

type Renaming = Exclude<IdentityRequest, { readonly action: 'undo' }>;

function targetOf(request: Renaming, listed: readonly IdentityRecord[]): string {
  if (request.action !== 'split') return request.to;
  if (request.to !== undefined) return request.to;
  const taken = new Set(listed.map(({ canonicalId }) => canonicalId));
  return splitId(request.from, (id) => taken.has(id));
}

/** Ticker and class of an id: as listed, as curated, else as the id spells them. */
function assetOf(
  canonicalId: string,
  listed: readonly IdentityRecord[],
  registry: Registry,
): OperatorDecision['to'] | undefined {
  const [, assetClass, slug] = ID.exec(canonicalId) ?? [];
  if (assetClass === undefined || slug === undefined || slug !== slugOf(slug)) return undefined;
  const known =
    listed.find((record) => record.canonicalId === canonicalId) ??
    registry.byId(canonicalId) ??
    listed.find((record) => record.canonicalId === `${assetClass}:${slug}`) ??
    registry.byId(`${assetClass}:${slug}`);
  return { canonicalId, ticker: known?.ticker ?? slug, assetClass: assetClass as AssetClass };
}

function contractsOf(request: Renaming, listed: readonly IdentityRecord[]): readonly IdentityRecord[] {
  if (request.action === 'pin') {
    return listed.filter(({ venue, symbol }) => venue === request.venue && symbol === request.symbol);
  }
  const ofAsset = listed.filter(({ canonicalId }) => canonicalId === request.from);
  return request.action === 'merge' ? ofAsset : ofAsset.filter(({ venue }) => request.venues.includes(venue));
}

function nothingFound(request: Renaming): string {
  if (request.action === 'pin') return `${request.venue} lists no contract ${request.symbol}`;
  const where = request.action === 'split' ? ` on ${request.venues.join(', ')}` : '';
  return `no listed contract is ${request.from}${where}`;
}
