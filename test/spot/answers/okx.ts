import { AT, type SpotAnswer } from './answer.ts';

const okxRow = (instId: string, more: object) => ({ instType: 'SPOT', instId, ts: String(AT), ...more });

export const okxAnswers: readonly SpotAnswer[] = [
  {
    venue: 'okx',
    url: '/api/v5/public/instruments?instType=SPOT',
    payload: {
      code: '0',
      data: [
        okxRow('BTC-USDT', {
          baseCcy: 'BTC',
          quoteCcy: 'USDT',
          tickSz: '0.1',
          lotSz: '0.001',
          minSz: '0.002',
          state: 'live',
          listTime: String(AT),
        }),
        okxRow('OLD-USDT', { baseCcy: 'OLD', quoteCcy: 'USDT', state: 'suspend' }),
      ],
    },
  },
  {
    venue: 'okx',
    url: '/api/v5/market/tickers?instType=SPOT',
    payload: {
      code: '0',
      data: [
        okxRow('BTC-USDT', {
          last: '50000',
          bidPx: '49999',
          bidSz: '2',
          askPx: '50001',
          askSz: '1.5',
          vol24h: '1000',
          volCcy24h: '50000000',
        }),
        okxRow('ETH-BTC', { last: '0.03', bidPx: '', askPx: '0.0301', vol24h: '100', volCcy24h: '3' }),
        { instType: 'SWAP', instId: 'BTC-USDT-SWAP', last: '50000' },
      ],
    },
  },
  {
    venue: 'okx',
    url: '/api/v5/public/interest-rate-loan-quota',
    payload: {
      code: '0',
      data: [
        {
          basic: [
            { ccy: 'BTC', rate: '0.00019992', quota: '10' },
            { ccy: 'ODD', rate: '24', quota: '1' },
          ],
          configCcyList: [{ ccy: 'SOL', rate: '0.00048' }],
          config: [
            { ccy: 'SOL', stgyType: '1', quota: '900', level: 'Lv1' },
            { ccy: 'SOL', stgyType: '0', quota: '500', level: 'Lv1' },
          ],
          regular: [{ level: 'Lv1', loanQuotaCoef: '1' }],
        },
      ],
    },
  },
  {
    venue: 'okx',
    url: '/api/v5/finance/savings/lending-rate-history?ccy=BTC',
    payload: { code: '0', data: [{ ccy: 'BTC', rate: '0.01', ts: String(AT) }] },
  },
];
