/** The published interface's statement about an endpoint. */

/** Fields by name, or a type. */
export type Shape =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'timestamp'
  | readonly [Shape]
  | { readonly [field: string]: Shape };

export interface ContractParameter {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date-time';
  readonly required?: true;
  readonly default?: string | number | boolean;
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface ContractEndpoint {
  readonly path: string;
  /** Price in USD; absent on free endpoints. */
  readonly usd?: string;
  readonly query: Readonly<Record<string, ContractParameter>>;
  /** Fields that the interface names. A name ending in `?` is present only behind an include flag. */
  readonly response?: Shape;
  /** Fields that were decided where the interface leaves the body open; required all the same. */
  readonly decided?: Shape;
  /** Answers 409 with candidates for a ticker of several assets. */
  readonly disambiguates?: true;
}
