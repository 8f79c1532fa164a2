import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from '../../api/http/http-server.ts';
import { sendProblem } from '../../api/http/reply.ts';
import type { Route } from '../../api/route.ts';
import { ok } from '../../domain/errors.ts';
import { freePurchases, sendJson } from '../../host/free-purchase.ts';
import type { Ports } from '../../products/define-product.ts';
import { type DeliveryView, shownDelivery } from '../webhook/delivery-view.ts';
import { shownCondition } from '../webhook/shown-address.ts';
import type { WatchDesk } from './desk.ts';
import type { WatchEngine } from './engine.ts';
import { firingRow, shownFiring } from './firing-row.ts';
import { pageOfWatches } from './page-of-watches.ts';
import { type RuleState, WATCHES } from './port.ts';
import { isoOf } from './state-now.ts';
import { phaseOf } from './watch.ts';
import { watchDay } from './watch-day.ts';
import { watchMonth } from './watch-month.ts';
import type { WatchRecord } from './watch-record.ts';

export const OPERATOR_PATH = '/operator/watches';
const LATEST = 5;
const MOST_SHOWN = 200;

export interface OperatorParts {
  readonly engine: WatchEngine;
  /** Holds what it offers at once. */
  readonly desk: WatchDesk;
  readonly deliveries: { view(watchId: string): DeliveryView | undefined };
  readonly rules: () => readonly RuleState[];
  readonly ports: Ports;
  readonly routes: readonly Route[];
  readonly report: (fault: { readonly at: string; readonly error: unknown }) => void;
}

function shownWatch(parts: OperatorParts, record: WatchRecord) {
  const { desk, deliveries } = parts;
  const { id, rule, payer, condition, progress, beganAt, endsAt, endReason } = record;
  const latest = desk.firings(id, Math.max(0, progress.seq - LATEST), LATEST);
  return {
    id,
    rule: rule ?? null,
    payer: payer ?? null,
    condition: shownCondition(condition),
    phase: phaseOf(record),
    reason: endReason ?? progress.unknownReason ?? null,
    values: record.values,
    began_at: isoOf(beganAt),
    ends_at: rule === undefined ? isoOf(endsAt) : null,
    sequence: progress.seq,
    fired: progress.fired,
    delivery: shownDelivery(desk.delivery(record, 'operator'), deliveries.view(id)),
    latest: latest.map((firing) => firingRow(shownFiring(firing))),
  };
}

/** True for a watch in whose id, rule, payer or condition, as the operator sees it, a text stands. */
const has = ({ id, rule, payer, condition }: WatchRecord, text: string): boolean =>
  JSON.stringify([id, rule, payer, shownCondition(condition)])
    .toLowerCase()
    .includes(text);

/**
 * Watches, rules and load as the operator reads them: the newest watches first, two hundred of a page of those that a text finds.
 *
 * @param after the `next` of the page before
 */
function operatorWatches(parts: OperatorParts, text: string, after: string | undefined) {
  const { engine, rules } = parts;
  const found = [...engine.records()].filter((record) => text === '' || has(record, text.toLowerCase()));
  const page = pageOfWatches(found, after, MOST_SHOWN);
  if (!page.ok) return page;
  const { records, next = null } = page.value;
  return ok({
    holds: engine.holds,
    held: engine.size,
    questions: engine.questions,
    counts: { ...engine.counts },
    rules: rules().map(({ name, watchId, fault }) => ({ name, watch_id: watchId, fault: fault ?? null })),
    total: found.length,
    watches: records.map((record) => shownWatch(parts, record)),
    next,
  });
}

/** On the operator's port: the document of all watches, and purchases that cost nothing and are held at once. */
export function operatorHandler(parts: OperatorParts): RequestHandler {
  const { desk, ports, routes, report } = parts;
  const products = [watchDay, watchMonth];
  const grants = freePurchases({ products, port: WATCHES, granting: desk, ports, routes, report });
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://operator.invalid');
    if (request.method !== 'GET' || pathname !== OPERATOR_PATH) return grants(request, response);
    const made = operatorWatches(parts, searchParams.get('q') ?? '', searchParams.get('after') ?? undefined);
    if (made.ok) sendJson(response, made.value);
    else sendProblem(response, made.error);
    return true;
  };
}
