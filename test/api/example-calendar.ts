import { asBps, asHours, asMs, asRate, type UnixMs } from '../../src/domain/units.ts';
import { Calendar } from '../../src/modules/calendar/calendar.ts';
import type { CalendarStore } from '../../src/modules/calendar/calendar-store.ts';
import type { ContractFacts, WholeList } from '../../src/modules/calendar/venue-memory.ts';

const FIRST_LIST = asMs(Date.UTC(2026, 10, 20, 16, 0));
const LIST_EVERY_MS = 300_000;

/** A store that keeps nothing. */
export const forgetful: CalendarStore = {
  events: () => [],
  venues: () => new Map(),
  save: () => undefined,
  close: async () => undefined,
};

const contract = (base: string, more: Partial<ContractFacts> = {}): ContractFacts => ({
  symbol: `${base}USDT`,
  base,
  ticker: base,
  canonicalId: `crypto:${base}`,
  quote: 'USDT',
  intervalHours: asHours(8),
  fundingCap: asRate(0.003),
  fundingFloor: asRate(-0.003),
  ...more,
});

const listAt = (at: UnixMs, venue: string, more: Partial<WholeList>): WholeList => ({
  venue,
  at,
  takerFeeBps: asBps(5),
  contracts: [],
  halted: new Set(),
  announced: [],
  ...more,
});

/** A calendar of an afternoon: an interval and its bounds change, a contract goes, and another is announced. */
export function exampleCalendar(): Calendar {
  const calendar = new Calendar(forgetful);
  const btc = contract('BTC');
  const eth = contract('ETH');
  const eth4h = contract('ETH', {
    intervalHours: asHours(4),
    fundingCap: asRate(0.02),
    fundingFloor: asRate(-0.02),
  });
  const end = asMs(Date.UTC(2026, 10, 20, 16, 10));
  const ftm = contract('FTM', { delistsAt: end });
  const launch = { symbol: 'MEGAUSDT', ticker: 'MEGA', listsAt: asMs(Date.UTC(2026, 10, 24, 8)) };
  const lists: readonly Partial<WholeList>[] = [
    { contracts: [btc, eth, ftm] },
    { contracts: [btc, eth4h, ftm], announced: [launch] },
    { contracts: [btc, eth4h, ftm], announced: [launch] },
    { contracts: [btc, eth4h], announced: [launch] },
    { contracts: [btc, eth4h], announced: [launch] },
  ];
  for (const venue of ['binance', 'okx', 'bybit', 'hyperliquid']) {
    lists.forEach((list, index) => {
      const at = asMs(FIRST_LIST + index * LIST_EVERY_MS);
      calendar.take(listAt(at, venue, venue === 'binance' ? list : { contracts: [btc, eth] }));
    });
  }
  return calendar;
}
