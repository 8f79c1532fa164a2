/**
 * The published interface as data, written from its text and not from the code: paths, prices, parameters and
 * field names of every endpoint, built or not. Tests check the route table against it.
 */

import { BOOKS } from './contract-books.ts';
import { FREE as CORE_FREE } from './contract-free.ts';
import { FUNDING } from './contract-funding.ts';
import { PAST } from './contract-history.ts';
import { INTEREST } from './contract-interest.ts';
import { SCANS } from './contract-scans.ts';
import type { ContractEndpoint, Shape } from './contract-shape.ts';
import { ENDPOINTS } from './module-promises.ts';

export type { ContractEndpoint, ContractParameter, Shape } from './contract-shape.ts';

const CORE_PAID: readonly ContractEndpoint[] = [...FUNDING, ...BOOKS, ...SCANS, ...INTEREST, ...PAST];

export const PAID = [...CORE_PAID, ...ENDPOINTS.filter(({ usd }) => usd !== undefined)];
export const FREE = [...CORE_FREE, ...ENDPOINTS.filter(({ usd }) => usd === undefined)];

/** Every endpoint of the interface. */
export const CONTRACT: readonly ContractEndpoint[] = [...PAID, ...FREE];

/** Fields of a payment requirement: each element of `accepts` in a challenge, header and body, or a catalog item. */
export const PAYMENT_REQUIREMENT: Shape = {
  scheme: 'string',
  network: 'string',
  maxAmountRequired: 'string',
  resource: 'string',
  description: 'string',
  mimeType: 'string',
  payTo: 'string',
  maxTimeoutSeconds: 'integer',
  asset: 'string',
  extra: { name: 'string', version: 'string' },
  outputSchema: { input: { type: 'string', method: 'string', queryParams: {} }, output: {} },
};

/** Fields of each parameter in an `outputSchema`; the optional ones of the contract stand where they apply. */
export const PARAMETER: Shape = { type: 'string', description: 'string', required: 'boolean' };

/** Fields of a catalog item. */
export const CATALOG_ITEM: Shape = {
  resource: 'string',
  type: 'string',
  x402Version: 'integer',
  accepts: [PAYMENT_REQUIREMENT],
  lastUpdated: 'timestamp',
  description: 'string',
  mimeType: 'string',
  serviceName: 'string',
  tags: ['string'],
  iconUrl: 'string',
  extensions: { bazaar: { info: { input: {}, output: { type: 'string', example: {} } }, schema: {} } },
};
