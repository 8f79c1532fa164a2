import type { SpotAnswer } from './answer.ts';

const HYPERLIQUID_TOKENS = [
  { name: 'USDC', szDecimals: 8, index: 0, tokenId: '0x6d1e7cde53ba9467b783cb7c530ce054' },
  // Anybody may deploy a token of this name.
  { name: 'BTC', szDecimals: 5, index: 77, tokenId: '0x00000000000000000000000000000077' },
  { name: 'UBTC', szDecimals: 5, index: 197, tokenId: '0x8f254b963e8468305d409b33aa137c67' },
];

export const hyperliquidAnswers: readonly SpotAnswer[] = [
  {
    venue: 'hyperliquid',
    url: 'POST /info {"type":"spotMetaAndAssetCtxs"}',
    payload: [
      {
        tokens: HYPERLIQUID_TOKENS,
        universe: [
          { name: '@9', tokens: [77, 0], index: 9, isCanonical: false },
          { name: '@142', tokens: [197, 0], index: 142, isCanonical: false },
        ],
      },
      [
        { coin: '@142', midPx: '50000', markPx: '50001', dayNtlVlm: '40000000', dayBaseVlm: '800' },
        { coin: '@9', midPx: '3', markPx: '3', dayNtlVlm: '10' },
      ],
    ],
  },
  {
    venue: 'hyperliquid',
    url: 'POST /info {"type":"allBorrowLendReserveStates"}',
    payload: [
      [0, { borrowYearlyRate: '0.0438', balance: '3000000.5' }],
      [197, { borrowYearlyRate: '0.05', balance: '12' }],
      [999, { borrowYearlyRate: '0.05', balance: '1' }],
    ],
  },
];
