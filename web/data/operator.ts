/** The operator's documents, as the service's own schemas have them. Only types are taken: no code of the service is in the page. */
export type {
  Earning,
  Facilitator,
  OpenPayment,
  OperatorPayments,
} from '../../src/modules/operator/schemas/payments.ts';
export type {
  AuditEntry,
  Contract,
  Decision,
  OperatorIdentities,
  OperatorLog,
} from '../../src/modules/operator/schemas/records.ts';
export type {
  Budget,
  Feed,
  OperatorState,
  OperatorVenue,
  RejectSample,
} from '../../src/modules/operator/schemas/state.ts';
