import { systemClock } from '../../domain/clock.ts';
import { ok } from '../../domain/errors.ts';
import { type OperatorDocument, operatorDocument } from './document.ts';
import { identityAction, operatorIdentities } from './identities.ts';
import { noteAction, operatorIncidents } from './incidents.ts';
import { identitiesSchema, incidentsSchema, logSchema } from './schemas/records.ts';
import { settingsSchema } from './schemas/settings.ts';
import { stateSchema } from './schemas/state.ts';
import { trendsSchema } from './schemas/trends.ts';
import { venuesSchema } from './schemas/venues.ts';
import { operatorSettings, settingAction } from './settings.ts';
import { operatorState } from './state.ts';
import { operatorTrends } from './trends.ts';
import { operatorVenues, venueAction } from './venues.ts';

/** This module's own documents. */
export const DOCUMENTS: readonly OperatorDocument[] = [
  operatorDocument({
    path: '/operator/state',
    schema: stateSchema,
    read: ({ service }) => ok(operatorState(service)),
  }),
  operatorDocument({
    path: '/operator/venues',
    schema: venuesSchema,
    read: ({ service, allowsActions }) =>
      ok({ allows_actions: allowsActions, venues: [...operatorVenues(service)] }),
    action: {
      wanted: 'request, reason and action: pause or resume (venue)',
      read: ({ service }, asked) => venueAction(service, asked),
    },
  }),
  operatorDocument({
    path: '/operator/settings',
    schema: settingsSchema,
    read: ({ settings, allowsActions }) =>
      ok({ allows_actions: allowsActions, ...operatorSettings(settings) }),
    action: {
      wanted: 'request, reason and action: set (setting: logLevel; value: one of its choices)',
      read: ({ settings }, asked) => settingAction(settings, asked),
    },
  }),
  operatorDocument({
    path: '/operator/trends',
    schema: trendsSchema,
    read: ({ trends }, query) => operatorTrends(trends, query, systemClock.now()),
  }),
  operatorDocument({
    path: '/operator/identities',
    schema: identitiesSchema,
    read: ({ service, allowsActions }, query) =>
      ok({ allows_actions: allowsActions, ...operatorIdentities(service, query.get('q') ?? '') }),
    action: {
      wanted:
        'request, reason and action: merge (from, to), split (from, venues), pin (venue, symbol, to) or undo (sequence)',
      read: ({ service }, asked) => identityAction(service, asked),
    },
  }),
  operatorDocument({
    path: '/operator/incidents',
    schema: incidentsSchema,
    read: ({ service }) => ok(operatorIncidents(service)),
    action: {
      wanted: 'request, incident (a number) and note',
      read: ({ service }, asked) => noteAction(service, asked),
    },
  }),
  operatorDocument({
    path: '/operator/log',
    schema: logSchema,
    read: ({ log, audit }) => ok({ lines: [...log.lines()], audit: [...audit.latest()] }),
  }),
];
