import { HOUR_MS, MINUTE_MS } from '../../../../src/runtime/duration.ts';
import type { SimContract, World } from '../world.ts';

/** Markets that anyone may list have a standing rate, parts per million of eight hours. */
const defaultPpm = ({ symbol }: SimContract): number => (symbol.includes(',') ? 100 : 0);

/** Samples of the hour, one a minute, whose mean and the market's default are eight times the rate of an hour. */
function premiums(contract: SimContract, count: number, world: World, t: number): number[] {
  const sum = Math.round((world.fundingRate(contract, t) * 8e6 - defaultPpm(contract)) * count);
  const each = Math.trunc(sum / count);
  const rest = sum - each * count;
  // The first samples carry what does not divide, the others swing about the mean in pairs.
  const samples = Array.from({ length: count }, (_, i) => each + (i < Math.abs(rest) ? Math.sign(rest) : 0));
  for (let i = 0; i + 1 < count; i += 2) {
    samples[i] = (samples[i] ?? 0) + 7;
    samples[i + 1] = (samples[i + 1] ?? 0) - 7;
  }
  return samples.filter((sample) => sample !== 0);
}

/**
 * The answer of a node of the chain: samples by the number of a perpetual, and its parameters by the same
 * number.
 */
export function chainAnswer(
  path: string,
  contracts: readonly SimContract[],
  world: World,
  now: number,
): unknown {
  if (path === '/dydxprotocol/perpetuals/perpetual') {
    const perpetual = contracts.map((contract, id) => ({
      params: {
        id,
        ticker: contract.symbol,
        market_id: id,
        atomic_resolution: -9,
        liquidity_tier: 1,
        default_funding_ppm: defaultPpm(contract),
        market_type: `PERPETUAL_MARKET_TYPE_${contract.symbol.includes(',') ? 'ISOLATED' : 'CROSS'}`,
      },
      funding_index: '0',
      open_interest: '0',
    }));
    return { perpetual, pagination: { next_key: null, total: String(perpetual.length) } };
  }
  if (path !== '/dydxprotocol/perpetuals/premium_samples') return undefined;
  const num_premiums = Math.floor((now % HOUR_MS) / MINUTE_MS);
  const all_market_premiums = contracts.flatMap((contract, perpetual_id) => {
    const list = contract.status === 'live' ? premiums(contract, num_premiums, world, now) : [];
    return list.length === 0 ? [] : [{ perpetual_id, premiums: list }];
  });
  return { premium_samples: { all_market_premiums, num_premiums } };
}
