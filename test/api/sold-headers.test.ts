import { describe, expect, it } from 'vitest';
import type { ApiOptions } from '../../src/api/server.ts';
import { getRaw, json } from './raw-http.ts';
import { CURRENT, PAYMENT, start, useExample } from './started-example.ts';

useExample();

const SEAL = { name: 'Sale-Seal', component: 'SaleSeal', description: 'Seals it.', words: 'Keep the seal.' };

async function served(given: Partial<ApiOptions>) {
  const [, base] = await start(given);
  const exposedBy = async (headers: Record<string, string>): Promise<string | undefined> =>
    (await getRaw(base, CURRENT, headers)).headers.get('access-control-expose-headers') ?? undefined;
  const document = json(await getRaw(base, '/openapi.json')) as {
    readonly components: { readonly headers: Record<string, unknown> };
    readonly paths: Record<string, { get: { responses: Record<string, { headers?: object }> } }>;
  };
  const operation = document.paths['/v1/funding/current']?.get.responses['200']?.headers ?? {};
  const agents = (await getRaw(base, '/llms.txt')).body.toString();
  return { exposedBy, components: document.components.headers, operation, agents };
}

describe('headers that modules add to sold answers', () => {
  it('one is added: exposed with an answer, and in both documents', async () => {
    const { exposedBy, components, operation, agents } = await served({ soldHeaders: [SEAL] });
    expect(await exposedBy(PAYMENT)).toMatch(/^PAYMENT-REQUIRED, .*, Sale-Seal, .*RateLimit-Policy$/);
    expect(await exposedBy({})).not.toContain('Sale-Seal');
    expect(components.SaleSeal).toEqual({ description: 'Seals it.', schema: { type: 'string' } });
    expect(operation).toHaveProperty('Sale-Seal', { $ref: '#/components/headers/SaleSeal' });
    expect(agents).toMatch(/identifier_used\. Keep the seal\.\n/);
  });

  it('none is added: no receipt anywhere in the documents', async () => {
    const { exposedBy, components, operation, agents } = await served({ soldHeaders: [] });
    expect(await exposedBy(PAYMENT)).not.toMatch(/receipt/i);
    expect(Object.keys({ ...components, ...operation }).join()).not.toMatch(/receipt/i);
    expect(agents).not.toContain('perpmeter-receipt');
  });
});
