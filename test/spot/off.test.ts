import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ReadSettings } from '../../src/host/module.ts';
import { freePort } from '../../src/host/process/free-port.ts';
import { MODULES } from '../../src/modules/list.ts';
import { scratchFolder, startCli } from '../cli/run-cli.ts';
import { until } from '../until.ts';

/** A service of one venue that cannot be reached; `spot` is its setting. */
async function withService(
  spot: string,
  look: (get: (path: string) => Promise<Response>, folder: string) => Promise<void>,
): Promise<void> {
  const port = await freePort('127.0.0.1');
  const folder = scratchFolder();
  const refused = `http://127.0.0.1:${await freePort('127.0.0.1')}`;
  const service = startCli(
    ['serve', '--port', String(port), '--venues', 'bybit', '--history', 'off'],
    folder,
    {
      PERPMETER_VENUE_BASES: JSON.stringify({ bybit: { rest: refused, ws: refused, spot: refused } }),
      SPOT: spot,
    },
  );
  const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`);
  try {
    await until(async () => expect((await get('/v1/health')).status).toBe(200), 100);
    await look(get, folder);
  } finally {
    service.kill('SIGKILL');
  }
}

describe('the setting SPOT', () => {
  it.each([
    ['on', 503, true],
    ['off', 404, false],
  ])('%s: its routes answer %d, documented and stored: %s', async (spot, status, isThere) => {
    await withService(spot, async (get, folder) => {
      expect((await get('/v1/spot/current?ticker=BTC')).status).toBe(status);
      expect((await get('/v1/spot/borrow?ticker=BTC')).status).toBe(status);
      expect((await get('/v1/spot/depth?ticker=BTC')).status).toBe(status);
      expect((await get('/v1/perp/cash-carry?ticker=BTC')).status).toBe(status);
      expect((await get('/v1/perp/arbitrage/cash-carry')).status).toBe(status);
      const documented = await (await get('/openapi.json')).text();
      expect(documented.includes('/v1/spot/')).toBe(isThere);
      expect(documented.includes('cash-carry')).toBe(isThere);
      for (const store of ['spot-borrow', 'spot-hours'])
        expect(existsSync(join(folder, 'var', 'data', store)), store).toBe(isThere);
    });
  });

  it('a module that needs one of spot: off with it, so that all else starts', () => {
    const given = ((specs: object) => ({ ...specs, spot: 'off' })) as unknown as ReadSettings;
    const gone = new Set(['spot-market', 'cash-carry', 'spot-history', 'carry-backtest']);
    const needing = MODULES.filter(({ needs = [] }) => needs.some((id) => gone.has(id)));
    expect(needing.map(({ id }) => id)).toContain('carry-view');
    for (const { id, off } of needing) expect(off?.(given), id).toContain('--spot');
  });

  it('modules of spot that sell: off with it, and say how to turn it on', () => {
    const given = (spot: string) => ((specs: object) => ({ ...specs, spot })) as unknown as ReadSettings;
    const selling = ['spot-market', 'spot-history', 'carry-backtest'];
    for (const { id, off } of MODULES.filter((module) => selling.includes(module.id))) {
      expect(off?.(given('on')), id).toBeUndefined();
      expect(off?.(given('off')), id).toContain('--spot');
    }
  });
});
