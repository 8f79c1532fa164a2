import Type from 'typebox';
import { idleVenues } from '../../analytics/scan.ts';
import { selectAsset, selectVenue } from '../../analytics/select.ts';
import { volumeAnomalies } from '../../analytics/volume-anomalies.ts';
import { ok } from '../../domain/errors.ts';
import { handlerResult } from '../answers/handler-result.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/perp-volume-anomalies.json' with { type: 'json' };
import { fromStore, readerOf } from '../history.ts';
import {
  canonicalIdName,
  integer,
  nullable,
  number,
  oneOf,
  text,
  tickerName,
  tickerParameter,
  timestamp,
  venueName,
  venueParameter,
} from '../schema.ts';
import { scanLimit } from '../schema-scan.ts';

const anomaly = Type.Object({
  venue: venueName,
  ticker: tickerName,
  canonical_id: canonicalIdName,
  volume_24h_usd: number('Rolling 24-hour volume now, US dollars'),
  baseline_median_usd: number('Median of its hourly means over 7 days'),
  baseline_mad_usd: number('Median absolute deviation of the same'),
  z_score: number('(volume - median) / (1.4826 x MAD)'),
  ratio: nullable(number('Volume over the median')),
  direction: oneOf(['spike', 'drought'], { description: 'Above or below what is usual' }),
  samples: integer('Hours of the baseline', 1),
  updated_at: timestamp('Time of the row'),
});

export const perpVolumeAnomalies = defineRoute({
  id: 'perp-volume-anomalies',
  path: '/v1/perp/volume-anomalies',
  access: 'paid',
  summary: 'Unusual volumes',
  description:
    'Contracts whose rolling 24-hour volume stands at least min_z robust deviations (median and MAD of the last 7 days, same venue and asset) from what is usual, either way, strongest first; all venues and tickers, or one of each. A 404 says that no contract asked about has a baseline yet.',
  tags: ['volume', 'anomaly', 'scan'],
  freshness: 'table-history',
  revisedAt: '2026-11-22T09:00:00.000Z',
  query: Type.Object({
    min_z: Type.Optional(Type.Number({ minimum: 0, default: 3, description: 'Least absolute z-score' })),
    limit: scanLimit,
    ticker: Type.Optional(tickerParameter),
    venue: Type.Optional(venueParameter),
  }),
  output: Type.Object({
    min_z: number('The threshold used'),
    count: integer('Anomalies returned'),
    baselines_count: integer('Contracts that have a baseline to be judged by', 1),
    methodology: text('How the score is made, and what it leaves out'),
    anomalies: Type.Array(anomaly),
  }),
  example: { request: '/v1/perp/volume-anomalies?min_z=3&limit=2', answer: example },
  resolve: ({ min_z: minZ = 3, limit = 50, ticker, venue }, { market }) => {
    const found = venue === undefined ? undefined : selectVenue(market, venue);
    if (found?.ok === false) return found;
    const asset = ticker === undefined ? undefined : selectAsset(market, { ticker });
    if (asset?.ok === false) return asset;
    return ok({ minZ, limit, canonicalId: asset?.value.canonicalId, venue: found?.value.info.id });
  },
  answer: async ({ canonicalId, venue, ...query }, services) => {
    const { market } = services;
    const baselines = fromStore(await readerOf(services).baselines());
    if (!baselines.ok) return baselines;
    const rows = canonicalId === undefined ? market.rows() : market.rowsOf(canonicalId);
    const chosen = venue === undefined ? rows : rows.filter((row) => row.venue === venue);
    return handlerResult(volumeAnomalies(chosen, baselines.value.list, query, idleVenues(market)));
  },
});
