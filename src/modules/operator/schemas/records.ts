import Type, { type Static } from 'typebox';
import { boolean, integer, text, timestamp } from '../../../products/answer/schema.ts';

export const contract = Type.Object({
  canonical_id: text('Asset behind the contract'),
  ticker: text('Ticker of the asset'),
  venue: text('Venue identifier'),
  symbol: text("The venue's own symbol"),
  basis: text('What the identity rests on'),
  valid_from: timestamp('Since when it has this identity'),
});

/** A decision of an operator about identities. */
export const decision = Type.Object({
  sequence: integer('Number of the decision'),
  at: timestamp('When it was made'),
  action: text('merge, split, pin or undo'),
  reason: text("The operator's reason"),
  from: text('Assets that the contracts were of'),
  to: text('Asset that they are of'),
  contracts: Type.Array(text('Venue and symbol')),
});

/** `/operator/identities`: the contracts that are listed now, and the decisions about them. */
export const identitiesSchema = Type.Object({
  allows_actions: boolean('True where the port lets its page act'),
  total: integer('Contracts that were found'),
  contracts: Type.Array(contract),
  decisions: Type.Array(decision),
});

export const incident = Type.Object({
  id: integer('Number of the incident'),
  rule: text('Rule or comparison that found it'),
  venue: text('Venue identifier'),
  field: text('Field of the row'),
  contract: Type.Optional(text("The venue's own symbol; absent where the whole venue is meant")),
  evidence: text('The values that were seen'),
  start: timestamp('Since when it lasts'),
  annotations: Type.Array(text('Time and words of a note')),
});

/** `/operator/incidents`: what is wrong with the data now. */
export const incidentsSchema = Type.Object({ open: Type.Array(incident) });

/** An action, or an attempt at one, through the operator's page. */
export const auditEntry = Type.Object({
  at: timestamp('When it was asked for'),
  request: text('Name that the caller gave the request'),
  by: Type.Optional(text('Who asked, as far as it is known; absent in entries of older builds')),
  action: text('Action'),
  detail: text('What it was about'),
  reason: text("The operator's reason"),
  refused: Type.Optional(text('Why nothing was changed; absent where it was done')),
  contracts: Type.Optional(integer('Contracts that changed')),
  decision: Type.Optional(integer('Number of the decision')),
  found: Type.Optional(text('State of the payment after it was looked at')),
});

/** `/operator/log`: the last lines of the log, and the actions of operators. */
export const logSchema = Type.Object({
  lines: Type.Array(text('A line as pino writes it, newest first')),
  audit: Type.Array(auditEntry),
});

export type OperatorIdentities = Static<typeof identitiesSchema>;
export type Contract = Static<typeof contract>;
export type Decision = Static<typeof decision>;
export type OperatorIncidents = Static<typeof incidentsSchema>;
export type OperatorLog = Static<typeof logSchema>;
export type AuditEntry = Static<typeof auditEntry>;
