import { existsSync } from 'node:fs';
import { MODULES } from '../../src/modules/list.ts';
import type { ContractEndpoint } from './contract-shape.ts';

/** A request that is refused: what is asked, the code of the answer, and the request that it names instead. */
export type Refused = readonly [asked: string, code: string, instead: string];

/** Promises of a module's products, in its `conformance-fixture.ts`, which is written from the published text and not from the code. */
export interface ModulePromises {
  readonly endpoints?: readonly ContractEndpoint[];
  /** Paths without a body of named fields. */
  readonly documents?: readonly string[];
  /** Requests with wrong parameters. */
  readonly mistakes?: readonly Refused[];
}

async function promisesOf(id: string): Promise<ModulePromises> {
  const file = new URL(`../../src/modules/${id}/conformance-fixture.ts`, import.meta.url);
  if (!existsSync(file)) return {};
  const { promises }: { readonly promises: ModulePromises } = await import(/* @vite-ignore */ file.href);
  return promises;
}

const promised = await Promise.all(MODULES.map(({ id }) => promisesOf(id)));

export const ENDPOINTS = promised.flatMap(({ endpoints = [] }) => endpoints);
export const DOCUMENTS = promised.flatMap(({ documents = [] }) => documents);
export const MISTAKES = promised.flatMap(({ mistakes = [] }) => mistakes);
