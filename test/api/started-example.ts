import { connect } from 'node:net';
import { afterEach } from 'vitest';
import { createExampleApi, type ExampleApi } from './example-api.ts';

export const PAYMENT = { 'X-PAYMENT': 'e30=' };
export const CURRENT = '/v1/funding/current';

let example: ExampleApi | undefined;

/** Starts the example for the test that runs. */
export async function start(
  options: Parameters<typeof createExampleApi>[0] = {},
): Promise<[ExampleApi, string]> {
  example = createExampleApi({ coalesceMs: 0, ...options });
  return [example, await example.start()];
}

/** Ends what a test of the file that calls it has started. */
export function useExample(): void {
  afterEach(async () => {
    await example?.api.close();
    example = undefined;
  });
}

/** A connection on which a test writes for itself. */
export function openSocket(base: string) {
  const { hostname, port } = new URL(base);
  return connect(Number(port), hostname);
}
