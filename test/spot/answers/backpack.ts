import { AT, type SpotAnswer } from './answer.ts';

const backpackMarket = (base: string, more: object = {}) => ({
  symbol: `${base}_USDC`,
  baseSymbol: base,
  quoteSymbol: 'USDC',
  marketType: 'SPOT',
  orderBookState: 'Open',
  visible: true,
  createdAt: '2025-01-21T06:34:54.691858',
  filters: { price: { tickSize: '0.01' }, quantity: { stepSize: '0.001', minQuantity: '0.002' } },
  ...more,
});

export const backpackAnswers: readonly SpotAnswer[] = [
  {
    venue: 'backpack',
    url: '/api/v1/markets?marketType=SPOT',
    payload: [
      backpackMarket('SOL'),
      backpackMarket('AAPL.US'),
      backpackMarket('OLD', { orderBookState: 'Closed' }),
      backpackMarket('SOL', { symbol: 'SOL_USDC_PERP', marketType: 'PERP' }),
    ],
  },
  {
    venue: 'backpack',
    url: '/api/v1/tickers',
    payload: [
      { symbol: 'SOL_USDC', lastPrice: '150', volume: '1000', quoteVolume: '150000' },
      { symbol: 'SOL_USDC_PERP', lastPrice: '150', volume: '9000', quoteVolume: '1350000' },
    ],
  },
  {
    venue: 'backpack',
    url: '/api/v1/borrowLend/markets',
    payload: [
      {
        symbol: 'SOL',
        state: 'Open',
        borrowInterestRate: '0.0876',
        borrowedQuantity: '100',
        lentQuantity: '1000',
        maxUtilization: '0.9',
        openBorrowLendLimit: '5000',
        timestamp: '2026-11-28T12:00:00.000Z',
      },
      {
        symbol: 'OLD',
        state: 'RepayOnly',
        borrowInterestRate: '0.5',
        borrowedQuantity: '1',
        lentQuantity: '9',
        maxUtilization: '1',
      },
    ],
  },
  {
    venue: 'backpack',
    url: '/api/v1/depth?symbol=SOL_USDC',
    payload: {
      bids: [
        ['148', '3'],
        ['149', '2'],
      ],
      asks: [
        ['150', '1'],
        ['151', '4'],
      ],
      lastUpdateId: '7',
      timestamp: AT * 1000,
    },
  },
];
