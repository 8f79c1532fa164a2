import type { Sides } from '../book-distortion.ts';
import { contractsOf, fineText, fixed, priceText, rateText } from '../format.ts';
import type { SimContract, World } from '../world.ts';
import { sidesOf } from './sides.ts';

/** The server stopped computing these indices years ago. */
const FROZEN_AT = Date.UTC(2022, 4, 13);

const num = (text: string): number => Number(text);

const LABELS: Readonly<Record<string, string>> = {
  equity: 'Stocks',
  index: 'Indices',
  commodity: 'Metals',
};

/** Suspended (3) in part, else delivered (8). */
function statusOf(contract: SimContract): number {
  if (contract.status === 'live') return 1;
  if (contract.status === 'prelisting') return 2;
  return contract.asset.rank % 3 === 0 ? 3 : 8;
}

export function contractRow(contract: SimContract) {
  const dated = contract.kind === 'dated';
  const label = LABELS[contract.asset.assetClass];
  return {
    symbol: contract.base,
    contract_code: contract.symbol,
    contract_size: contract.contractSize,
    price_tick: contract.tick,
    delivery_date: dated ? '20261225' : '',
    delivery_time: dated ? String(Date.UTC(2026, 11, 25, 8)) : '',
    create_date: '20201021',
    contract_status: statusOf(contract),
    settlement_date: '1790150400000',
    support_margin_mode: dated ? 'cross' : 'all',
    business_type: dated ? 'futures' : 'swap',
    pair: `${contract.base}-USDT`,
    contract_type: dated ? 'quarter' : 'swap',
    trade_partition: 'USDT',
    settlement_period: dated ? '' : String(contract.intervalHours),
    labels: label === undefined ? ['common'] : ['tradfi'],
    tradfi_labels: label === undefined ? [] : [label],
  };
}

export function fundingRow(contract: SimContract, world: World, t: number) {
  const dated = contract.kind === 'dated';
  return {
    estimated_rate: null,
    funding_rate: dated ? null : `${rateText(world.fundingRate(contract, t))}0000000000`,
    contract_code: contract.symbol,
    symbol: contract.base,
    fee_asset: 'USDT',
    funding_time: dated ? null : String(world.nextFunding(contract, t)),
    next_funding_time: null,
    trade_partition: 'USDT',
  };
}

export function indexRow(contract: SimContract, world: World, t: number) {
  const made = contract.status === 'delisted' ? FROZEN_AT : t - 300;
  return {
    index_price: num(fineText(contract, world.index(contract, contract.status === 'delisted' ? made : t))),
    index_ts: made,
    contract_code: contract.symbol,
  };
}

/** A number with eighteen decimals, as the venue prints it; the marks are taken off by `withLong`. */
const long = (x: number): string => `#${x.toFixed(18)}#`;

/** A body whose marked texts are numbers again, with all their decimals. */
export function withLong(body: string): string {
  return body.replace(/"#([^"#]*)#"/g, '$1');
}

/** Traded in 24 hours, buys plus sells as the venue counts: an even number of contracts, coins and USDT. */
export function tradedTwice(contract: SimContract, world: World, t: number) {
  const contracts = 2 * contractsOf(contract, world.volume24h(contract, t));
  const coins = contracts * contract.contractSize;
  return { contracts, coins, value: coins * world.mark(contract, t) };
}

export function interestRow(contract: SimContract, world: World, t: number) {
  const mark = world.mark(contract, t);
  const open = world.openInterest(contract, t);
  const traded = tradedTwice(contract, world, t);
  return {
    volume: long(contractsOf(contract, open)),
    amount: long(open),
    symbol: contract.base,
    value: long(num(fixed(open * mark, 4))),
    contract_code: contract.symbol,
    trade_amount: num(fixed(traded.coins, 8)),
    trade_volume: traded.contracts,
    trade_turnover: num(fixed(traded.value, 4)),
    business_type: contract.kind === 'dated' ? 'futures' : 'swap',
    pair: `${contract.base}-USDT`,
    contract_type: contract.kind === 'dated' ? 'quarter' : 'swap',
    trade_partition: 'USDT',
  };
}

/** Market data name a dated contract by its alias. */
export function aliasOf(contract: SimContract): string {
  return contract.kind === 'dated' ? `${contract.base}-USDT-CQ` : contract.symbol;
}

/** Levels that a side of a book has. */
const WHOLE = 100;

/** Levels `[price, contracts]` of the book, best first. */
export function bookRows(contract: SimContract, world: World, t: number, depth: number): Sides {
  return sidesOf(world.book(contract, t, Math.min(depth, WHOLE)), (price, size) => [
    num(priceText(contract, price)),
    contractsOf(contract, size),
  ]);
}

function touch(contract: SimContract, world: World, t: number) {
  const { bids, asks } = world.book(contract, t, 1);
  const level = (x: readonly [number, number] | undefined) =>
    x === undefined ? null : [num(priceText(contract, x[0])), contractsOf(contract, x[1])];
  return { ask: level(asks[0]), bid: level(bids[0]) };
}

export function bboRow(contract: SimContract, world: World, t: number) {
  return {
    business_type: contract.kind === 'dated' ? 'futures' : 'swap',
    contract_code: aliasOf(contract),
    ...touch(contract, world, t),
    mrid: Math.floor(t / 7),
    ts: t - 1900,
  };
}

/** 24 h overview; the second version calls the turnover `vol` and the contracts `number_of`. */
export function overview(contract: SimContract, world: World, t: number, version: 1 | 2) {
  const mark = world.mark(contract, t);
  const traded = tradedTwice(contract, world, t);
  const turnover = fixed(traded.value, 4);
  const contracts = String(traded.contracts);
  return {
    id: Math.floor(t / 1000),
    ts: t,
    ...touch(contract, world, t),
    open: priceText(contract, mark),
    close: priceText(contract, mark),
    low: priceText(contract, mark * 0.98),
    high: priceText(contract, mark * 1.02),
    amount: fixed(traded.coins, 8),
    count: 48_262,
    ...(version === 1
      ? { vol: contracts, trade_turnover: turnover }
      : { vol: turnover, number_of: contracts }),
  };
}
