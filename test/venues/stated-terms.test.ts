import { describe, expect, it } from 'vitest';
import type { ContractTerms } from '../../src/domain/contract-terms.ts';
import { adapterOf } from '../../src/venues/registry.ts';
import { decodeCall } from './decode-call.ts';

/** A change of a row, the terms that it leaves unknown, and the field of its fault. */
interface Unknown {
  readonly change: object;
  readonly gone: readonly string[];
  readonly fault?: string;
}

/** A list with one contract as its venue writes it, and what is read of it per ticker unit. */
interface Stated {
  readonly venue: string;
  readonly path: string;
  readonly list: (row: object) => unknown;
  readonly row: object;
  readonly terms: ContractTerms;
  readonly without: readonly Unknown[];
}

const DAY = Date.UTC(2026, 11, 1);

const CASES: readonly Stated[] = [
  {
    venue: 'apex',
    path: '/v3/symbols',
    list: (row) => ({ data: { contractConfig: { perpetualContract: [row] } } }),
    row: {
      crossSymbolName: '1000PEPEUSDT',
      symbol: '1000PEPE-USDT',
      baseTokenId: '1000PEPE',
      settleAssetId: 'USDT',
      enableTrade: true,
      tickSize: '0.0000001',
      stepSize: '10',
      minOrderSize: '10.000',
      displayMaxLeverage: '50',
      initialMarginRate: '0.02000',
      maintenanceMarginRate: '0.01',
      maxPositionSize: '20000',
      deliveryTime: DAY,
    },
    terms: {
      tick: 1e-10,
      lot: 10_000,
      minSize: 10_000,
      maxLeverage: 50,
      initialMargin: 0.02,
      maintenanceMargin: 0.01,
      positionLimit: 20_000_000,
      delistsAt: DAY,
    } as ContractTerms,
    without: [
      { change: { deliveryTime: 0 }, gone: ['delistsAt'] },
      { change: { maxPositionSize: 'many' }, gone: ['positionLimit'], fault: 'maxPositionSize' },
      { change: { initialMarginRate: '2' }, gone: ['initialMargin'], fault: 'initialMarginRate' },
    ],
  },
  {
    venue: 'aster',
    path: '/fapi/v3/exchangeInfo',
    list: (row) => ({ symbols: [row] }),
    row: {
      symbol: '1000SHIBUSDT',
      contractType: 'PERPETUAL',
      status: 'TRADING',
      baseAsset: '1000SHIB',
      quoteAsset: 'USDT',
      marginAsset: 'USDT',
      underlyingType: 'COIN',
      deliveryDate: DAY,
      requiredMarginPercent: '5.0000',
      maintMarginPercent: '2.5000',
      pricePrecision: 6,
      filters: [
        { filterType: 'PRICE_FILTER', tickSize: '0.000010' },
        { filterType: 'LOT_SIZE', minQty: '1', stepSize: '1' },
        { filterType: 'MARKET_LOT_SIZE', minQty: '7', stepSize: '7' },
        { filterType: 'MIN_NOTIONAL', notional: '5' },
      ],
    },
    terms: { tick: 1e-8, lot: 1000, minSize: 1000, minNotionalUsd: 5, delistsAt: DAY } as ContractTerms,
    without: [
      { change: { deliveryDate: 4_133_404_800_000 }, gone: ['delistsAt'] },
      {
        change: { filters: [{ filterType: 'MIN_NOTIONAL', notional: '5' }] },
        gone: ['tick', 'lot', 'minSize'],
      },
    ],
  },
  {
    venue: 'backpack',
    path: '/api/v1/markets',
    list: (row) => [row],
    row: {
      symbol: 'kBONK_USDC_PERP',
      baseSymbol: 'kBONK',
      quoteSymbol: 'USDC',
      marketType: 'PERP',
      orderBookState: 'Open',
      fundingInterval: 3_600_000,
      filters: {
        price: { tickSize: '0.000001', minPrice: '0.000001' },
        quantity: { minQuantity: '100', stepSize: '100', maxQuantity: null },
      },
      imfFunction: { type: 'sqrt', base: '0.1', factor: '0.0008' },
      mmfFunction: { type: 'sqrt', base: '0.05', factor: '0.0004' },
      openInterestLimit: '30000000',
    },
    terms: {
      tick: 1e-9,
      lot: 100_000,
      minSize: 100_000,
      initialMargin: 0.1,
      maintenanceMargin: 0.05,
      openInterestLimit: 30_000_000_000,
    } as ContractTerms,
    without: [
      { change: { imfFunction: null, openInterestLimit: '0' }, gone: ['initialMargin', 'openInterestLimit'] },
      { change: { imfFunction: { base: '-1' } }, gone: ['initialMargin'], fault: 'imfFunction.base' },
      { change: { filters: { price: {}, quantity: {} } }, gone: ['tick', 'lot', 'minSize'] },
    ],
  },
  {
    venue: 'bingx',
    path: '/openApi/swap/v2/quote/contracts',
    list: (row) => ({ code: 0, data: [row] }),
    row: {
      symbol: '1000PEPE-USDT',
      currency: 'USDT',
      asset: '1000PEPE',
      status: 1,
      takerFeeRate: 0.0005,
      pricePrecision: '7',
      quantityPrecision: 0,
      tradeMinLimit: 5,
      tradeMinQuantity: '153',
      tradeMinUSDT: 2,
      maxLongLeverage: '75',
      maxShortLeverage: 50,
      offTime: DAY,
    },
    terms: {
      tick: 1e-10,
      lot: 1000,
      minSize: 153_000,
      minNotionalUsd: 2,
      maxLeverage: 50,
      delistsAt: DAY,
    } as ContractTerms,
    without: [
      { change: { offTime: 0, tradeMinUSDT: '' }, gone: ['delistsAt', 'minNotionalUsd'] },
      { change: { maxShortLeverage: 'x' }, gone: ['maxLeverage'], fault: 'maxLongLeverage' },
      { change: { maxLongLeverage: undefined }, gone: ['maxLeverage'] },
      { change: { pricePrecision: 1.5 }, gone: ['tick'], fault: 'pricePrecision' },
    ],
  },
];

function read({ venue, path, list, row }: Stated, change: object = {}) {
  const adapter = adapterOf(venue);
  if (adapter === undefined) throw new Error(`no ${venue}`);
  const { instruments, rejects } = decodeCall(adapter, path, list({ ...row, ...change }));
  return { terms: instruments[0]?.terms, faults: rejects.map(({ detail }) => detail) };
}

describe.each(CASES)('terms of $venue', (stated) => {
  it('a whole row: per ticker unit, in the service’s units', () => {
    expect(read(stated)).toEqual({ terms: stated.terms, faults: [] });
  });

  it.each(stated.without)('$change: unknown, and a fault where stated', ({ change, gone, fault }) => {
    const left = Object.entries(stated.terms).filter(([name]) => !gone.includes(name));
    expect(read(stated, change)).toEqual({
      terms: Object.fromEntries(left),
      faults: fault === undefined ? [] : [fault],
    });
  });
});
