import type { Wire } from '../domain/read.ts';
import { MAX_TIMEOUT_SECONDS, type Seller } from './seller.ts';
import type { ParameterSpec, ProtectedRoute } from './types.ts';

export const MIME_TYPE = 'application/json';

/** The seven fields of a v2 requirement: what a facilitator is asked about. */
export interface CoreRequirement {
  readonly scheme: string;
  /** CAIP-2. */
  readonly network: `${string}:${string}`;
  /** Atomic units, decimal text. */
  readonly amount: string;
  readonly asset: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  /** As the scheme has it. */
  readonly extra: Wire;
}

interface WireParameter {
  readonly type: string;
  readonly description: string;
  readonly required: boolean;
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
}

/** The contract's `outputSchema`: how to ask, and an example of the answer. */
interface OutputSchema {
  readonly input: {
    readonly type: 'http';
    readonly method: 'GET';
    readonly queryParams: Readonly<Record<string, WireParameter>>;
    readonly pathParams?: Readonly<Record<string, WireParameter>>;
  };
  readonly output: unknown;
}

/** Fields that the published interface and v1 add to the core. */
interface ListedFields {
  readonly maxAmountRequired: string;
  readonly resource: string;
  readonly description: string;
  readonly mimeType: typeof MIME_TYPE;
  readonly outputSchema: OutputSchema;
}

/** An `accepts` entry of the catalog: readable as either generation. */
export type AcceptsEntry = CoreRequirement & ListedFields;

/** The terms of a scheme against which a facilitator verifies and settles. */
export function requirementOf(
  seller: Seller,
  amount: bigint,
  scheme: string,
  extra: CoreRequirement['extra'],
): CoreRequirement {
  return {
    scheme,
    network: seller.network.id as `${string}:${string}`,
    amount: amount.toString(),
    asset: seller.asset,
    payTo: seller.payTo,
    maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
    extra,
  };
}

/** An `accepts` entry of the terms alone: what v2 signs for, with the price under its older name too. */
export function coreEntry(terms: CoreRequirement): CoreRequirement & Pick<ListedFields, 'maxAmountRequired'> {
  return { ...terms, maxAmountRequired: terms.amount };
}

/** One `accepts` entry with every field of the contract's table. */
export function acceptsEntry(
  terms: CoreRequirement,
  { baseUrl }: Pick<Seller, 'baseUrl'>,
  route: ProtectedRoute,
  example: unknown = route.example,
): AcceptsEntry {
  return {
    ...terms,
    maxAmountRequired: terms.amount,
    resource: baseUrl + route.path,
    description: route.description,
    mimeType: MIME_TYPE,
    outputSchema: outputSchema(route, example),
  };
}

/** The v1 twin: network by name, price as maxAmountRequired only. Undefined where the first generation has no name for the network. */
export function v1Entry(
  terms: CoreRequirement,
  seller: Seller,
  route: ProtectedRoute,
): (Omit<AcceptsEntry, 'amount' | 'network'> & { readonly network: string }) | undefined {
  const network = seller.network.v1Name;
  if (network === undefined) return undefined;
  const { amount: _, network: __, ...entry } = acceptsEntry(terms, seller, route);
  return { ...entry, network };
}

function outputSchema(route: ProtectedRoute, example: unknown): OutputSchema {
  return {
    input: {
      type: 'http',
      method: 'GET',
      queryParams: mapParameters(route.queryParams),
      ...(route.pathParams === undefined ? {} : { pathParams: mapParameters(route.pathParams) }),
    },
    output: example,
  };
}

function mapParameters(specs: Readonly<Record<string, ParameterSpec>>): Record<string, WireParameter> {
  const out: Record<string, WireParameter> = {};
  for (const [name, { example: _, ...wire }] of Object.entries(specs)) out[name] = wire;
  return out;
}
