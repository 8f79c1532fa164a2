import { systemClock } from '../../domain/clock.ts';
import { ok } from '../../domain/errors.ts';
import { type OperatorDocument, operatorDocument } from '../operator/document.ts';
import { operatorAccounts } from './accounts.ts';
import { operatorEarnings } from './earnings.ts';
import { operatorFailures } from './failures.ts';
import { operatorLedger } from './ledger.ts';
import { operatorStory } from './payment-story.ts';
import { lookAction, operatorPayments } from './payments.ts';
import { accountsSchema } from './schemas/accounts.ts';
import { earningsSchema } from './schemas/earnings.ts';
import { failuresSchema, ledgerSchema, storySchema } from './schemas/ledger.ts';
import { paymentsSchema } from './schemas/payments.ts';

/** Documents about payments and money, for the operator alone. */
export const ACCOUNTING_DOCUMENTS: readonly OperatorDocument[] = [
  operatorDocument({
    path: '/operator/payments',
    schema: paymentsSchema,
    read: async ({ service, allowsActions }) =>
      ok({ allows_actions: allowsActions, ...(await operatorPayments(service)) }),
    action: {
      wanted: 'request, reason and action: look (payer, nonce)',
      read: ({ service }, asked) => lookAction(service, asked),
    },
  }),
  operatorDocument({
    path: '/operator/ledger',
    schema: ledgerSchema,
    read: ({ service }, query) => operatorLedger(service, query),
  }),
  operatorDocument({
    path: '/operator/ledger/payment',
    schema: storySchema,
    read: async ({ service }, query) => ok(await operatorStory(service, query.get('key') ?? '')),
  }),
  operatorDocument({
    path: '/operator/ledger/failures',
    schema: failuresSchema,
    read: async ({ service }) => ok(await operatorFailures(service)),
  }),
  operatorDocument({
    path: '/operator/earnings',
    schema: earningsSchema,
    read: async ({ service }) => ok(await operatorEarnings(service, systemClock.now())),
  }),
  operatorDocument({
    path: '/operator/accounts',
    schema: accountsSchema,
    read: async ({ service }) => ok(await operatorAccounts(service)),
  }),
];
