import Type from 'typebox';
import { currentInterest, historicalValueOf, oiDelta } from '../../analytics/oi-delta.ts';
import { selectPair } from '../../analytics/select.ts';
import { iso } from '../../domain/clock.ts';
import { fail, ok } from '../../domain/errors.ts';
import { asMs } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import { handlerResult } from '../answers/handler-result.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/perp-oi-delta.json' with { type: 'json' };
import { fromStore, nothingKnown, notStored, readerOf } from '../history.ts';
import {
  canonicalIdName,
  contractFields,
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
import { hoursName, hoursParameter } from '../schema-history.ts';

/** How far from the time looked back to the past value may lie. */
const WITHIN_MS = 300_000;
/** How far a value is looked for that is named where there is none. */
const NAMED_WITHIN_MS = 12 * HOUR_MS;

export const perpOiDelta = defineRoute({
  id: 'perp-oi-delta',
  path: '/v1/perp/oi-delta',
  access: 'paid',
  summary: 'Change of open interest',
  description:
    'Open interest of one ticker on one venue now against what it was some hours ago (24 by default, 168 at most), in units of the base asset and in US dollars, with the change in percent of the base units and both times.',
  tags: ['open-interest', 'history', 'change'],
  freshness: 'table-history',
  revisedAt: '2026-11-21T09:00:00.000Z',
  query: Type.Object({
    ticker: tickerParameter,
    venue: venueParameter,
    lookback_hours: hoursParameter('Hours between the two values'),
  }),
  output: Type.Object({
    venue: venueName,
    ticker: tickerName,
    canonical_id: canonicalIdName,
    ...contractFields,
    lookback_hours: hoursName,
    current_oi: number('Now, units of the base asset'),
    past_oi: number('Then, units of the base asset'),
    current_oi_usd: nullable(number('Now, US dollars')),
    past_oi_usd: nullable(number('Then, US dollars')),
    delta_pct: nullable(
      number('(current - past) / past x 100 of the base units; null where the past was zero'),
    ),
    current_ts: timestamp('Time of the present value'),
    past_ts: timestamp(
      'Time of the past value: the nearest there is, at most five minutes from the time looked back to',
    ),
    past_source: oneOf(['sampled', 'backfilled'], {
      description: 'Sampled by this service, or told by the venue afterwards',
    }),
    units_note: text('What the figures count'),
  }),
  example: { request: '/v1/perp/oi-delta?ticker=BTC&venue=binance&lookback_hours=24', answer: example },
  resolve: ({ ticker, venue, lookback_hours: hours = 24 }, { market }) => {
    const pair = selectPair(market, { ticker, venue });
    if (!pair.ok) return pair;
    const current = currentInterest(pair.value);
    return current.ok ? ok({ ticker, venue, hours }) : current;
  },
  answer: async ({ ticker, venue: name, hours }, services) => {
    const { market, clock } = services;
    const reader = readerOf(services);
    const pair = selectPair(market, { ticker, venue: name });
    if (!pair.ok) return pair;
    const current = currentInterest(pair.value);
    if (!current.ok) return current;
    const { canonicalId, row } = pair.value;
    const { venue } = row;
    const at = asMs(clock.now() - hours * HOUR_MS);
    const moment = { canonicalId, venue, at };
    const values = fromStore(await reader.interestAt(moment, WITHIN_MS));
    if (!values.ok) return values;
    const parsed = historicalValueOf(values.value, row);
    if (parsed !== undefined) return handlerResult(oiDelta(pair.value, hours, current.value, parsed));
    const others = fromStore(await reader.interestAt(moment, NAMED_WITHIN_MS));
    if (!others.ok) return others;
    const nearest = historicalValueOf(others.value, row);
    if (nearest === undefined) {
      const { ticker: found } = pair.value;
      const other = notStored(services, { ticker: found, canonicalId, venue, symbol: row.symbol });
      if (other !== undefined) return fail(other);
      const scope = { canonicalId, venue, from: asMs(at - WITHIN_MS), to: asMs(at + WITHIN_MS) };
      return nothingKnown(reader, scope, 'interest', 'open interest');
    }
    const what = `No open interest of ${canonicalId} on ${venue} within five minutes of ${iso(at)}`;
    const detail = `${what}; the nearest known is of ${iso(nearest.at)}, ${nearest.origin}`;
    return fail({ code: 'no_data', detail });
  },
});
