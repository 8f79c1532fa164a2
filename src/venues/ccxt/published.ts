import type { Published } from '../../domain/amount.ts';

const UNSTATED = {
  unit: 'mixed',
  sides: 'unknown',
  evidence: 'ccxt hands on what each exchange publishes',
  date: '2026-11',
  confidence: 'low',
} as const;

/** Units by ccxt's unified structures, which do not state the side that an exchange counts. */
export const PUBLISHED: Published = {
  openInterest: { field: 'fetchOpenInterest `openInterestAmount`', ...UNSTATED },
  volume: { field: 'fetchTicker `baseVolume`', ...UNSTATED },
  verified: { version: 'unified API', date: '2026-11-01', source: 'ccxt 4.5.84' },
};
