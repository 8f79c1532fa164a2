import { describe, expect, it } from 'vitest';
import {
  callFor,
  contextOf,
  decodeSample,
  describeSamples,
  loadSample,
} from '../../../test/venues/samples.ts';
import { frames } from './books.ts';
import { edgex } from './index.ts';
import { decodeFundingPage, decodeLatestFunding, decodeMetaData, decodeTicker } from './wire.ts';

const ON = {
  enableTrade: true,
  enableDisplay: true,
  enableOpenPosition: true,
  quoteCoinId: '1',
  fundingRateIntervalMin: '240',
};
const META = {
  code: 'SUCCESS',
  data: {
    coinList: [
      { coinId: '1', coinName: 'USDC' },
      { coinId: '2', coinName: '1000PEPE' },
      { coinId: '3', coinName: 'USDT' },
    ],
    contractList: [
      {
        ...ON,
        contractId: '30000046',
        contractName: '1000PEPEUSDC',
        baseCoinId: '2',
        defaultTakerFeeRate: '0.00045',
      },
      { ...ON, contractId: '30000020', contractName: 'NVDAUSDC', baseCoinId: '9', isStock: true },
      { ...ON, contractId: '30000099', contractName: 'OLDUSDC', baseCoinId: '9', enableTrade: false },
      { ...ON, contractId: '10000001', contractName: 'BTCUSDT', baseCoinId: '9', quoteCoinId: '3' },
      { ...ON, contractId: '30000021', contractName: 'EURUSDC', baseCoinId: '9', isFx: true },
      { ...ON, contractId: '30000022', contractName: 'ENDUSDC', baseCoinId: '9', enableOpenPosition: false },
      { ...ON, contractId: '', contractName: 'ODDUSDC', baseCoinId: '9' },
      { ...ON, contractId: '30000023', contractName: 'LOSTUSDC', baseCoinId: '9', quoteCoinId: '77' },
      { ...ON, contractId: '30000024', contractName: 'MUTEUSDC', baseCoinId: '9', quoteCoinId: undefined },
    ],
  },
};

describe('edgex', () => {
  it('a contract states cap and floor of its rate: fractions per interval', () => {
    const bounded = { ...META.data.contractList[0], fundingMaxRate: '0.004', fundingMinRate: '-0.003' };
    const listed = { ...META, data: { ...META.data, contractList: [bounded] } };
    expect(decodeMetaData(listed, contextOf()).instruments).toMatchObject([
      { fundingIntervalHours: 4, fundingCap: 0.004, fundingFloor: -0.003 },
    ]);
  });

  it('lists enabled USDC contracts; the coin list names the base', () => {
    const { instruments, rejects } = decodeMetaData(META, contextOf());
    expect(instruments).toMatchObject([
      {
        symbol: '1000PEPEUSDC',
        altId: '30000046',
        ticker: 'PEPE',
        multiplier: 1000,
        fundingIntervalHours: 4,
        takerFeeBps: 4.5,
      },
      { symbol: 'NVDAUSDC', ticker: 'NVDA', assetClass: 'equity', quote: 'USDC', settle: 'USDC' },
      { symbol: 'EURUSDC', ticker: 'EUR', assetClass: 'fx', contractSize: 1 },
    ]);
    expect(rejects.map((r) => [r.reason, r.detail])).toEqual([
      ['not_trading', undefined],
      ['foreign_quote', 'USDT'],
      ['not_trading', undefined],
      ['missing_field', 'contractId'],
      ['out_of_range', 'quoteCoinId'],
      ['missing_field', 'quoteCoinId'],
    ]);
    expect(decodeMetaData({ code: 'SUCCESS', data: {} }, contextOf()).rejects).toEqual([
      { symbol: null, reason: 'unexpected_shape', detail: 'no contractList' },
    ]);
    expect(decodeMetaData({ code: 'BUSY', msg: 'later' }, contextOf()).rejects).toHaveLength(1);
  });

  it('takes the base that the coin list names, else that of the symbol', () => {
    const contractList = ['4', '9'].map((baseCoinId) => ({
      ...ON,
      contractId: '7',
      contractName: 'XAUUSDC',
      baseCoinId,
    }));
    const coinList = [
      { coinId: '1', coinName: 'USDC' },
      { coinId: '4', coinName: 'GOLD' },
    ];
    const { instruments } = decodeMetaData(
      { code: 'SUCCESS', data: { coinList, contractList } },
      contextOf(),
    );
    expect(instruments.map(({ base }) => base)).toEqual(['GOLD', 'XAU']);
  });

  it.each([
    ['fundingTime', 'Infinity', 'malformed', 'nextFundingTime'],
    ['oraclePrice', '1e30', 'out_of_range', 'markPrice'],
  ])('a %s of %s is a reject', (name, value, reason, detail) => {
    const row = { contractId: '30000046', fundingTime: '1734595200000', fundingRateIntervalMin: '240' };
    const answer = (more: object) =>
      decodeLatestFunding({ code: 'SUCCESS', data: [{ ...row, ...more }] }, contextOf());
    const { quotes, rejects } = answer({ fundingRate: '0.0002', [name]: value });
    expect(quotes[0]).toMatchObject({ fundingRate: 0.0002, fundingIntervalHours: 4 });
    expect(quotes[0]).not.toHaveProperty(detail);
    expect(rejects).toEqual([{ symbol: '30000046', reason, detail }]);
    expect(answer({ fundingRateIntervalMin: '' }).rejects).toMatchObject([{ detail: 'no metric' }]);
  });

  it('joins by contract id; an empty forecast: the settled rate', () => {
    const context = contextOf(decodeMetaData(META, contextOf()).instruments);
    const row = {
      contractId: '30000046',
      fundingTime: '1734595200000',
      fundingRateIntervalMin: '240',
      fundingRate: '0.0002',
      predictedFundingRate: '0.9',
    };
    const rate = (forecastFundingRate: string) =>
      decodeLatestFunding({ code: 'SUCCESS', data: [{ ...row, forecastFundingRate }] }, context).quotes[0];
    expect(rate('0.0001')).toMatchObject({
      symbol: '1000PEPEUSDC',
      fundingRate: 0.0001,
      nextFundingTime: 1_734_609_600_000,
    });
    expect(rate('0.0001')?.rateSettled).toBe(false);
    expect(rate('')).toMatchObject({ fundingRate: 0.0002, rateSettled: true });
    const absent = decodeLatestFunding({ code: 'SUCCESS', data: [row] }, context);
    expect(absent.quotes).toMatchObject([{ fundingRate: 0.0002, rateSettled: true }]);
    const more = {
      ...row,
      forecastFundingRate: '0.0001',
      indexPrice: '0.024',
      fundingTimestamp: '1734597720000',
    };
    // One row may come without a list around it.
    expect(decodeLatestFunding({ code: 'SUCCESS', data: more }, context).quotes).toMatchObject([
      { fundingIntervalHours: 4, indexPrice: 0.000024, venueTime: 1_734_597_720_000 },
    ]);
    const frame = { type: 'quote-event', channel: 'fundingRate.30000046', content: { data: [more] } };
    expect(frames.decode(frame, context).quotes).toMatchObject([{ fundingRate: 0.0001 }]);
  });

  it('never traded: no price; an unknown contract, an error: rejects', () => {
    const context = contextOf(decodeMetaData(META, contextOf()).instruments);
    const row = {
      contractId: '30000020',
      contractName: 'NVDAUSDC',
      markPrice: '0',
      lastPrice: '0',
      oraclePrice: '0',
      indexPrice: '223.95',
      openInterest: '0',
      fundingRate: '0.00005',
    };
    expect(decodeTicker({ code: 'SUCCESS', data: [row] }, context).rejects).toEqual([
      { symbol: 'NVDAUSDC', reason: 'placeholder', detail: 'no price' },
    ]);
    const faulty = decodeTicker({ code: 'SUCCESS', data: [{ ...row, openInterest: 'x' }] }, context);
    expect(faulty.rejects).toMatchObject([{ detail: 'openInterestBase' }, { reason: 'placeholder' }]);
    for (const traded of [{ lastPrice: '7' }, { markPrice: '7' }, { oraclePrice: '7' }])
      expect(decodeTicker({ code: 'SUCCESS', data: [{ ...row, ...traded }] }, context).quotes).toMatchObject([
        { indexPrice: 223.95 },
      ]);
    const { markPrice: _, ...unmarked } = { ...row, oraclePrice: '7' };
    expect(decodeTicker({ code: 'SUCCESS', data: [unmarked] }, context).quotes).toMatchObject([
      { markPrice: 7 },
    ]);
    const unlisted = { ...row, contractId: '7', contractName: 'XUSDC' };
    expect(decodeTicker({ code: 'SUCCESS', data: [unlisted] }, context).rejects).toMatchObject([
      { reason: 'not_listed' },
    ]);
    expect(decodeTicker({ code: 'RATE_LIMIT_EXCEEDED', data: null }, context).rejects).toMatchObject([
      { reason: 'error_body', detail: 'RATE_LIMIT_EXCEEDED' },
    ]);
  });

  it('reads only the changed fields of a partial frame', () => {
    const content = {
      dataType: 'changed',
      data: [{ contractId: '30000020', contractName: 'NVDAUSDC', markPrice: '5' }],
    };
    expect(
      frames.decode({ type: 'quote-event', channel: 'ticker.all.1s', content }, contextOf()).quotes,
    ).toEqual([{ symbol: 'NVDAUSDC', markPrice: 5 }]);
  });

  it('settlements alone, with interval, among the previews of each minute', () => {
    const row = { contractId: '30000046', fundingTime: '1734595200000', fundingRateIntervalMin: '240' };
    const dataList = [
      { ...row, fundingRate: '0.0002', isSettlement: true },
      { ...row, fundingTime: '1734595260000', fundingRate: '0.9', isSettlement: false },
    ];
    const context = contextOf(decodeMetaData(META, contextOf()).instruments);
    expect(decodeFundingPage({ code: 'SUCCESS', data: { dataList } }, context)).toMatchObject({
      funding: [{ symbol: '1000PEPEUSDC', time: 1_734_595_200_000, rate: 0.0002, intervalHours: 4 }],
      rejects: [],
    });
  });

  it('prices, amounts and forecast of a ticker, its touch and its book', () => {
    const row = {
      contractId: '30000046',
      contractName: '1000PEPEUSDC',
      markPrice: '0.02',
      indexPrice: '0.024',
      openInterest: '3',
      size: '5',
      value: '0.15',
      fundingRate: '0.0002',
      nextFundingTime: '1734609600000',
    };
    const context = contextOf(decodeMetaData(META, contextOf()).instruments);
    expect(decodeTicker({ code: 'SUCCESS', data: [row] }, context).quotes).toMatchObject([
      {
        markPrice: 0.00002,
        indexPrice: 0.000024,
        openInterestRaw: 3,
        openInterestBase: 3000,
        volume24hBase: 5000,
        volume24hRaw: 0.15,
        volume24hUsd: 0.15,
        fundingRate: 0.0002,
        nextFundingTime: 1_734_609_600_000,
      },
    ]);
    const { size, ...testNetwork } = row;
    expect(
      decodeTicker({ code: 'SUCCESS', data: [{ ...testNetwork, volume: size }] }, context).quotes,
    ).toMatchObject([{ volume24hBase: 5000, volume24hUsd: 0.15 }]);
    const level = { price: '0.02', size: '4' };
    const depth = {
      contractId: '30000046',
      contractName: '1000PEPEUSDC',
      depthType: 'SNAPSHOT',
      endVersion: '9',
      startVersion: '8',
      bids: [level],
      asks: [{ ...level, price: '0.024' }],
    };
    const frame = (channel: string, data: object) =>
      frames.decode({ type: 'quote-event', channel, content: { data: [data] } }, context);
    expect(frame('depth.30000046.200', depth).books).toMatchObject([
      { kind: 'snapshot', sequence: 9, bids: [[0.00002, 4000]], asks: [[0.000024, 4000]] },
    ]);
    const documented = { ...depth, bids: [['0.02', '4']], asks: [['0.024', '4']] };
    expect(frame('depth.30000046.200', documented)).toEqual(frame('depth.30000046.200', depth));
    for (const depthType of ['CHANGED', 'changed'])
      expect(frame('depth.30000046.200', { ...depth, depthType }).books).toMatchObject([
        { kind: 'delta', sequence: 9, previousSequence: 8, bids: [[0.00002, 4000]] },
      ]);
    const touch = { ...row, bestBidPrice: '0.019', bestAskPrice: '0.022' };
    expect(frame('bookTicker.all.1s', touch).quotes).toMatchObject([
      { symbol: '1000PEPEUSDC', bestBid: 0.000019, bestAsk: 0.000022 },
    ]);
  });

  it('reads contract numbers written as numbers, in the list and in rows', () => {
    const { coinList, contractList } = META.data;
    const asNumbers = {
      coinList: coinList.map((coin) => ({ ...coin, coinId: Number(coin.coinId) })),
      contractList: contractList
        .filter(({ contractId }) => contractId !== '')
        // The list of coins may be of the other spelling.
        .map((row) => ({ ...row, contractId: Number(row.contractId) })),
    };
    const listed = decodeMetaData({ code: 'SUCCESS', data: asNumbers }, contextOf());
    const [pepe] = listed.instruments;
    expect(pepe).toMatchObject({ symbol: '1000PEPEUSDC', altId: '30000046' });
    const context = contextOf(listed.instruments);
    const row = { contractId: 30_000_046, markPrice: '0.02' };
    const content = { dataType: 'Snapshot', data: [row] };
    const frame = { type: 'quote-event', channel: 'ticker.30000046', content };
    expect(frames.decode(frame, context)).toMatchObject({
      quotes: [{ symbol: '1000PEPEUSDC', markPrice: 0.00002 }],
      rejects: [],
    });
    for (const contractId of [1.5, -1, Number.NaN, null])
      expect(decodeTicker({ code: 'SUCCESS', data: [{ ...row, contractId }] }, context)).toMatchObject({
        quotes: [],
        rejects: [{ symbol: null }],
      });
  });

  it('takes the kind of a book message that states none from its frame', () => {
    const data = [{ contractId: '30000046', bids: [['0.02', '4']], asks: [['0.024', '4']] }];
    const kind = (dataType: string, more: object = {}) => {
      const content = { dataType, data: data.map((row) => ({ ...row, ...more })) };
      const frame = { type: 'quote-event', channel: 'depth.30000046.200', content };
      return frames.decode(frame, contextOf()).books.map((book) => book.kind);
    };
    expect(kind('Changed')).toEqual(['delta']);
    expect(kind('changed', { depthType: null })).toEqual(['delta']);
    expect(kind('Changed', { depthType: '' })).toEqual(['delta']);
    expect(kind('Snapshot')).toEqual(['snapshot']);
    // A message knows better than its frame.
    expect(kind('Snapshot', { depthType: 'CHANGED' })).toEqual(['delta']);
  });

  it('frames without content: an error rejects, another type is silent', () => {
    const decode = (frame: object) => frames.decode(frame, contextOf()).rejects;
    const error = { code: 'INVALID_CHANNEL', msg: 'unknown' };
    for (const frame of [
      { type: 'error', ...error },
      { type: 'error', content: error },
    ])
      expect(decode(frame)).toMatchObject([{ reason: 'error_body', detail: 'INVALID_CHANNEL unknown' }]);
    expect(decode({ type: 'subscribed', channel: 'ticker.all.1s' })).toEqual([]);
    expect(decode({ channel: {}, content: { data: [] } })).toMatchObject([{ detail: 'channel' }]);
    expect(decode({ channel: 'ticker.all.1s' })).toMatchObject([{ detail: 'no content' }]);
    expect(edgex.streams?.[0]?.pong?.({ type: 'ping', time: '7' })).toBe('{"type":"pong","time":"7"}');
    expect(edgex.streams?.[0]?.pong?.({ type: 'pong', time: '7' })).toBeUndefined();
  });

  it.each([
    ['/api/v2/public/quote/getDepth?contractId=1&level=200', 'getDepth'],
    ['/api/v2/public/quote/getTicker?contractId=1', 'getTicker'],
    ['/api/v2/public/funding/getFundingRatePage', 'getFundingRatePage'],
    ['wss://quote.edgex.exchange/api/v1/public/ws', 'frame'],
    ['depth.30000046.200', 'frame'],
  ])('%s is %s', (named, call) => expect(callFor(edgex, named)?.name).toBe(call));

  describeSamples(edgex, () => {
    it('forecast, interval and next settlement', () => {
      const [decoded] = decodeSample(edgex, loadSample('edgex', 'getLatestFundingRate.json'));
      expect(decoded?.quotes[0]).toMatchObject({
        fundingRate: -0.00012293,
        fundingIntervalHours: 4,
        nextFundingTime: 1_734_609_600_000,
        indexPrice: 101_522.5589685,
      });
      const [page] = decodeSample(edgex, loadSample('edgex', 'getFundingRatePage.json'));
      expect(page?.funding).toEqual([
        { symbol: '10000001', time: 1_733_702_400_000, rate: 0.00005, intervalHours: 4 },
      ]);
    });

    it('tickers', () => {
      const [nvda] = decodeSample(edgex, loadSample('edgex', 'getTicker-nvda.json'));
      expect(nvda?.quotes[0]).toMatchObject({
        symbol: 'NVDAUSDC',
        markPrice: 224.02560631047228,
        indexPrice: 223.9542120649,
        openInterestBase: 663.83,
        volume24hBase: 2309.03,
        volume24hUsd: 518_556.6254,
        fundingRate: 0.00006758,
        nextFundingTime: 1_790_596_800_000,
      });
      const [btc] = decodeSample(edgex, loadSample('edgex', 'getTicker.json'));
      expect(btc?.quotes[0]).toMatchObject({
        markPrice: 69_810.2,
        indexPrice: 69_840.778565787,
        volume24hBase: 43.218,
        volume24hUsd: 3_006_471.2907,
      });
      const touches = decodeSample(edgex, loadSample('edgex', 'ws-bookTicker-all.jsonl'));
      expect(touches[0]?.quotes[1]).toEqual({ symbol: 'NVDAUSDC', bestBid: 223.3, bestAsk: 223.45 });
      expect(touches[1]?.rejects).toMatchObject([{ symbol: 'ZROUSDC', reason: 'placeholder' }]);
    });

    it('depth', () => {
      const [decoded] = decodeSample(edgex, loadSample('edgex', 'ws-depth.jsonl'));
      expect(decoded?.books[0]).toMatchObject({
        symbol: 'BTCUSDC',
        kind: 'snapshot',
        sequence: 2_070_150_189,
        bids: [[82_862.5, 0.677]],
      });
      const control = decodeSample(edgex, loadSample('edgex', 'ws-control.jsonl'));
      expect(control.flatMap((d) => d.rejects)).toEqual([]);
      expect(edgex.streams?.[0]?.pong?.({ type: 'ping', time: '7' })).toBe('{"type":"pong","time":"7"}');
    });
  });
});
