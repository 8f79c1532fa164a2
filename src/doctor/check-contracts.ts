import type { Instrument } from '../domain/instrument.ts';
import { decideIdentity } from '../market/decide-identity.ts';
import type { Registry } from '../market/registry/lookup.ts';
import type { Finding } from './finding.ts';
import type { Visit } from './visit.ts';

/** Taker fee of the venue, declared and as most of its contracts state it, bps. */
export interface FeeSeen {
  readonly declared: number | undefined;
  /** Undefined where fewer than half of the contracts carry one; a fee like the venue's is often left out. */
  readonly published: number | undefined;
  /** Contracts with a fee of their own. */
  readonly own: number;
}

/** Identity of a contract: its asset, and whether the curated registry knows that asset. */
export function assetOf(
  registry: Registry,
  instrument: Instrument,
  visit: Visit,
): { readonly id: string; readonly isCurated: boolean } | undefined {
  const mark = visit.rounds[0].get(instrument.symbol)?.markPrice;
  const decided = decideIdentity(registry, instrument, mark);
  if (decided === 'needs_price') return undefined;
  return { id: decided.canonicalId, isCurated: registry.byId(decided.canonicalId) !== undefined };
}

/** Symbols of contracts whose asset is in no curated list: new listings, mostly. */
export function unknownContracts(visit: Visit, registry: Registry): readonly string[] {
  return [...visit.instruments.values()]
    .filter((instrument) => assetOf(registry, instrument, visit)?.isCurated === false)
    .map(({ symbol }) => symbol);
}

/** The fee that most contracts state. */
export function feeOf({ adapter, instruments }: Visit): FeeSeen {
  const times = new Map<number, number>();
  for (const { takerFeeBps } of instruments.values()) {
    if (takerFeeBps !== undefined) times.set(takerFeeBps, (times.get(takerFeeBps) ?? 0) + 1);
  }
  const own = [...times.values()].reduce((sum, n) => sum + n, 0);
  const [most] = [...times].sort((a, b) => b[1] - a[1]);
  const published = most !== undefined && most[1] > instruments.size / 2 ? most[0] : undefined;
  return { declared: adapter.takerFeeBps, published, own };
}

/** A fee of most contracts that is not the declared one. A venue that declares none states it by contract. */
export function checkFee(visit: Visit): readonly Finding[] {
  const { declared, published } = feeOf(visit);
  if (declared === undefined || published === undefined || published === declared) return [];
  const text = `most contracts state a taker fee of ${published} bps, declared are ${declared}`;
  return [{ venue: visit.adapter.id, check: 'fee', severity: 'wrong', at: 'list of contracts', text }];
}
