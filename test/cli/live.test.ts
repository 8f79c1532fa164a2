import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { freePort } from '../../src/cli/free-port.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { scratchFolder, startCli } from './run-cli.ts';

/** Every venue at an address that refuses connections. */
async function nowhere(): Promise<string> {
  const port = await freePort('127.0.0.1');
  const bases = VENUES.map(({ id, bases: own }) => [
    id,
    Object.fromEntries(
      Object.entries(own).map(([name, base]) => [
        name,
        `${base.startsWith('ws') ? 'ws' : 'http'}://127.0.0.1:${port}`,
      ]),
    ),
  ]);
  return JSON.stringify(Object.fromEntries(bases));
}

describe('a service that reaches no venue', () => {
  it('starts, says so, sells nothing, and stops on a signal', async () => {
    const port = await freePort('127.0.0.1');
    const base = `http://127.0.0.1:${port}`;
    const service = startCli(['serve', '--port', String(port), '--log-level', 'warn'], scratchFolder(), {
      PERPMETER_VENUE_BASES: await nowhere(),
    });
    let log = '';
    service.stderr?.on('data', (chunk) => {
      log += String(chunk);
    });
    const health = async () =>
      (await (await fetch(`${base}/v1/health`)).json()) as { venues: { live: number; down: number } };
    try {
      await vi.waitFor(async () => expect((await health()).venues.down).toBe(VENUES.length), {
        timeout: 20_000,
        interval: 100,
      });
      expect(await health()).toMatchObject({
        status: 'degraded',
        data: 'live',
        rows: 0,
        venues: { live: 0 },
      });
      await vi.waitFor(
        async () => {
          const venues = (await (await fetch(`${base}/v1/venues/health`)).json()) as {
            last_error: string | null;
          }[];
          expect(venues.filter(({ last_error }) => last_error === null)).toEqual([]);
        },
        { timeout: 20_000, interval: 200 },
      );
      const answer = await fetch(`${base}/v1/funding/current?symbol=BTC`);
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(log).not.toMatch(/unhandled/i);
    } finally {
      service.kill('SIGTERM');
    }
    expect((await once(service, 'exit'))[0]).toBe(0);
  });

  it('names a port that is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const service = startCli(['serve', '--port', String(port), '--venues', 'nado'], scratchFolder());
    let said = '';
    service.stderr?.on('data', (chunk) => {
      said += String(chunk);
    });
    expect((await once(service, 'exit'))[0]).toBe(2);
    expect(said).toContain('is in use');
    taken.close();
  });
});
