import { fail, ok, type Result } from '../../domain/errors.ts';
import type { UnixMs } from '../../domain/units.ts';
import { timeOf } from '../../host/ledger-records.ts';
import type { Service } from '../../host/options.ts';
import { ledgerRow } from '../../pay/ledger-row.ts';
import { type PaymentFilter, placeIn, placeText, searchPayments } from '../../pay/payment-search.ts';
import { PAYMENT_STATES, type PaymentRecord } from '../../pay/record.ts';
import type { ListedPayment, OperatorLedger } from './schemas/ledger.ts';

/** Payments that one request looks at: some hundred milliseconds, in parts. */
const MAX_LOOKED = 20_000;
const PAGE = 50;
const MAX_PAGE = 500;

export const listedPayment = (record: PaymentRecord): ListedPayment => ({
  key: record.key,
  scheme: record.scheme,
  ...ledgerRow(record),
});

/**
 * Payments of the ledger, newest first; fails where the query is no search.
 * @param query q (a part of payer, transaction, nonce, route or reason), payer, transaction, nonce, reason (parts), route,
 * scheme, state, since, until (times of presenting), limit, after (`next` of the page before)
 */
export async function operatorLedger(
  { payments: { ledger }, margins }: Pick<Service, 'payments' | 'margins'>,
  query: URLSearchParams,
): Promise<Result<OperatorLedger>> {
  const asked = readQuery(query);
  if (!asked.ok) return asked;
  const sold = margins();
  const known = {
    routes: [...new Set(sold.map(({ route }) => route))].sort(),
    schemes: [...new Set(sold.map(({ scheme }) => scheme))].sort(),
  };
  if (ledger === undefined) return ok({ payments: [], looked: 0, cut: false, next: null, ...known });
  const { payments, looked, next, isCut } = await searchPayments(ledger, {
    ...asked.value,
    maxLooked: MAX_LOOKED,
  });
  return ok({
    payments: payments.map(listedPayment),
    looked,
    cut: isCut,
    next: next === undefined ? null : placeText(next),
    ...known,
  });
}

type Asked = Omit<Parameters<typeof searchPayments>[1], 'maxLooked'>;

/** The answer to a query that is no search. */
const notASearch = (detail: string): Result<never> => fail({ code: 'invalid_parameter', detail });

function readQuery(query: URLSearchParams): Result<Asked> {
  const limit = Number(query.get('limit') ?? PAGE);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE) {
    return notASearch(`limit must be a whole number from 1 to ${MAX_PAGE}.`);
  }
  const place = textIn(query, 'after');
  const after = place === undefined ? undefined : placeIn(place);
  if (place !== undefined && after === undefined) return notASearch('after must be `next` of a page before.');
  const filter = readFilter(query);
  return filter.ok ? ok({ filter: filter.value, after, limit }) : filter;
}

function readFilter(query: URLSearchParams): Result<PaymentFilter> {
  const said = textIn(query, 'state');
  const state = PAYMENT_STATES.find((known) => known === said);
  if (said !== undefined && state === undefined) {
    return notASearch(`state must be one of ${PAYMENT_STATES.join(', ')}.`);
  }
  const since = timeOf(textIn(query, 'since'));
  const until = timeOf(textIn(query, 'until'));
  if (Number.isNaN(since) || Number.isNaN(until)) {
    return notASearch('since and until must be times as 2026-11-21 or 2026-11-21T10:00:00Z.');
  }
  return ok({
    text: textIn(query, 'q'),
    payer: textIn(query, 'payer'),
    transaction: textIn(query, 'transaction'),
    nonce: textIn(query, 'nonce'),
    reason: textIn(query, 'reason'),
    route: textIn(query, 'route'),
    scheme: textIn(query, 'scheme'),
    state,
    since: since as UnixMs | undefined,
    until: until as UnixMs | undefined,
  });
}

/** Blank texts filter nothing. */
function textIn(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name)?.trim() ?? '';
  return text === '' ? undefined : text;
}
