import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROGRAMS, startChild } from '../../src/host/process/child.ts';
import { freePort } from '../../src/host/process/free-port.ts';

it('a service that cannot listen: ends, also beside an open channel', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'perpmeter-child-'));
  const port = String(await freePort('127.0.0.1'));
  const args = [
    'serve',
    '--host',
    '127.0.0.1',
    '--data-dir',
    dataDir,
    '--history',
    'off',
    '--venues',
    'binance',
  ];
  const service = startChild(
    'the service',
    PROGRAMS.perpmeter,
    [...args, '--port', port, '--admin-port', port],
    {
      // Vitest sets it.
      BASE_URL: undefined,
      PERPMETER_PAYMENTS_MODE: 'off',
      PERPMETER_VENUE_BASES: JSON.stringify({
        binance: { rest: 'http://127.0.0.1:1', ws: 'ws://127.0.0.1:1' },
      }),
    },
  );
  service.process.stdout?.resume();
  expect(await service.exited).toBe(2);
  rmSync(dataDir, { recursive: true });
});
