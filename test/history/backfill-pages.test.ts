import { createWorld } from '@perpmeter/sim/create-world';
import { simBitget } from '@perpmeter/sim/venues/bitget';
import { describe, expect, it } from 'vitest';
import { BackgroundThrottle } from '../../src/collect/background-throttle.ts';
import { emptyDecoded } from '../../src/domain/decoded.ts';
import { asMs } from '../../src/domain/units.ts';
import { type ContractHistory, fetchContractHistory } from '../../src/modules/backfill/contract-history.ts';
import { DAY_MS, HOUR_MS } from '../../src/runtime/duration.ts';
import type { VenueRequest } from '../../src/venues/adapter.ts';
import { bitget } from '../../src/venues/bitget/index.ts';
import { ManualTime } from '../collect/manual-time.ts';
import { renderRequest, runAdapter } from '../venues/sim-run.ts';
import { until } from './backfill-rig.ts';

const AT = asMs(Date.UTC(2026, 9, 20, 13, 20));
const FROM = asMs(AT - 30 * DAY_MS);
const world = createWorld(1);
const pairing = { adapter: bitget, sim: simBitget, served: [simBitget] };

/** All that the back-fill asks of the simulated venue for thirty days of a contract. */
async function fetchPayments(symbol: string) {
  const { instruments } = runAdapter(pairing, world, AT);
  const instrument = instruments.get(symbol);
  if (instrument === undefined) throw new Error(`${symbol} is not listed`);
  const asked: string[] = [];
  const send = async (_venue: string, request: VenueRequest) => {
    asked.push(request.path);
    const answer = renderRequest(pairing, world, request, AT);
    return { ok: true, value: { payload: JSON.parse(answer?.body ?? ''), receivedAt: AT } } as const;
  };
  const time = new ManualTime(AT);
  const { clock, timer } = time;
  const sources = {
    adapter: bitget,
    instruments: () => instruments,
    send,
    priority: 1,
    timer,
    throttle: new BackgroundThrottle(clock, timer),
    isUrgent: () => true,
    signal: new AbortController().signal,
  };
  let fetched: ContractHistory | undefined;
  void fetchContractHistory(sources, instrument, FROM, AT).then((history) => {
    fetched = history;
  });
  await until(time, () => fetched !== undefined);
  const { decoded, failed } = fetched ?? { decoded: emptyDecoded(), failed: ['all'] };
  const pages = asked.filter((path) => path.includes('/history-fund-rate'));
  return { funding: decoded.funding, failed, pages };
}

describe('payments of a venue that lists them by page', () => {
  it.each([1, 4, 8])('reach back thirty days where a contract pays every %d h', async (hours) => {
    const contract = world
      .contracts(simBitget.listing)
      .find(
        (contract) =>
          contract.intervalHours === hours && contract.status === 'live' && contract.kind === 'perp',
      );
    if (contract === undefined) throw new Error(`no contract of ${hours} h`);
    const { funding, failed, pages } = await fetchPayments(contract.symbol);
    const count = (30 * 24) / hours;
    expect(new Set(funding.map(({ time }) => time)).size).toBe(count);
    expect(funding).toHaveLength(count);
    for (const { time, rate } of funding) {
      expect(time % (hours * HOUR_MS)).toBe(0);
      expect(rate).toBeCloseTo(world.settledRate(contract, time), 7);
    }
    expect(failed).toEqual([]);
    const asked = pages.map((path) => new URLSearchParams(path.split('?')[1]).get('pageNo'));
    expect(asked).toEqual(Array.from({ length: Math.ceil((count + 1) / 100) }, (_, i) => `${i + 1}`));
  });
});
