import type { Instrument } from '../../domain/instrument.ts';
import { decideIdentity } from '../../market/decide-identity.ts';
import type { Registry } from '../../market/registry/lookup.ts';
import type { Finding } from './finding.ts';
import type { VenueProbe } from './venue-probe.ts';

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
  probe: VenueProbe,
): { readonly id: string; readonly isCurated: boolean } | undefined {
  const mark = probe.rounds[0].get(instrument.symbol)?.markPrice;
  const decided = decideIdentity(registry, instrument, mark);
  if (decided === 'needs_price') return undefined;
  return { id: decided.canonicalId, isCurated: registry.byId(decided.canonicalId) !== undefined };
}

/** Symbols of contracts whose asset is in no curated list: new listings, mostly. */
export function unknownContracts(probe: VenueProbe, registry: Registry): readonly string[] {
  return [...probe.instruments.values()]
    .filter((instrument) => assetOf(registry, instrument, probe)?.isCurated === false)
    .map(({ symbol }) => symbol);
}

/** The fee that most contracts state. */
export function feeOf({ adapter, instruments }: VenueProbe): FeeSeen {
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
export function checkFee(probe: VenueProbe): readonly Finding[] {
  const { declared, published } = feeOf(probe);
  if (declared === undefined || published === undefined || published === declared) return [];
  const text = `most contracts state a taker fee of ${published} bps, declared are ${declared}`;
  return [{ venue: probe.adapter.id, check: 'fee', severity: 'wrong', at: 'list of contracts', text }];
}
