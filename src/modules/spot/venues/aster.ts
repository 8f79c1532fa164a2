import { asBps } from '../../../domain/units.ts';
import { rowsIn } from '../../../venues/grammar/answer.ts';
import { marketList } from '../grammar/markets.ts';
import { type SpotVenue, spotCall } from '../spot-venue.ts';
import { decodeBook, decodeTickers, decodeTouches, marketTable, open } from './binance-form.ts';

export const aster: SpotVenue = {
  id: 'aster',
  takerFeeBps: asBps(7),
  calls: [
    spotCall('/api/v3/exchangeInfo', marketList(rowsIn(open, { list: 'symbols' }), marketTable('aster'))),
    spotCall('/api/v3/ticker/24hr', decodeTickers),
    spotCall('/api/v3/ticker/bookTicker', decodeTouches),
    spotCall('/api/v3/depth', decodeBook),
  ],
  evidence: {
    tickers: {
      said: 'the answers of Binance; an empty side is "0.000000", sizes are missing in some versions (recorded 2026-04)',
      confidence: 'medium',
    },
    fee: { said: '7 bps at worst: one document says 7, a newer page 4', confidence: 'low' },
    borrow: { said: 'there is no margin on spot', confidence: 'medium' },
  },
  verified: { version: 'api/v3', date: '2026-11-28', source: 'asterdex/api-docs, V3 spot API; ccxt 4.5.84' },
};
