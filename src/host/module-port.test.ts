import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Type from 'typebox';
import { afterAll, describe, expect, it } from 'vitest';
import { startSmall } from '../../test/host/start-small.ts';
import { fail, ok } from '../domain/errors.ts';
import { defineProduct } from '../products/define-product.ts';
import { fill, type Port } from '../runtime/port.ts';
import type { Module } from './module.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'perpmeter-port-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const SPECS = { greeting: { flag: 'greeting', env: 'GREETING', type: 'text', about: 'a word' } } as const;

const GREETER: Port<{ greet(): string } | undefined> = { name: 'greeter', absent: undefined };

const hello = defineProduct({
  id: 'hello',
  path: '/v1/hello',
  access: 'free',
  summary: 'A greeting',
  description: 'Greets by the word that the operator has set.',
  tags: [],
  dependsOn: 'second',
  revisedAt: '2026-11-28T00:00:00.000Z',
  answer: Type.Object({ said: Type.String() }),
  find: (_, { readPort }) => {
    const greeter = readPort(GREETER);
    return greeter === undefined ? fail({ code: 'not_ready', detail: 'Nobody greets here.' }) : ok(greeter);
  },
  compute: (greeter) => ok({ body: { said: greeter.greet() } }),
});

const module = (open: Module['open'] & {}): Module => ({
  id: 'hello',
  settings: [{ after: 'port', specs: SPECS }],
  products: async () => ({ products: [{ product: hello, after: 'venues-list' }] }),
  open,
});

/** The answer of the module's product in a service with it. */
async function answerOf(open: Module['open'] & {}) {
  const started = await startSmall({ dataDir, modules: [module(open)], settings: { greeting: 'ahoy' } });
  if (!started.ok) throw new Error(started.errors.join('\n'));
  try {
    const response = await fetch(`http://127.0.0.1:${started.value.port}/v1/hello`);
    return { status: response.status, body: await response.json() };
  } finally {
    await started.value.stop();
  }
}

describe('a product of a module', () => {
  it('its module has filled a port: it answers with setting and state', async () => {
    let greeted = 0;
    const { status, body } = await answerOf(async ({ settings }) => {
      const { greeting } = settings(SPECS);
      return { ports: [fill(GREETER, { greet: () => `${greeting} ${++greeted}` })] };
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ said: 'ahoy 1' });
  });

  it('its module has filled none: it refuses before anything is paid', async () => {
    const { status, body } = await answerOf(async () => ({}));
    expect(status).toBe(503);
    expect(body).toMatchObject({ detail: 'Nobody greets here.' });
  });
});
