import { expect, it } from 'vitest';
import { recorderWarnings } from '../../src/cli/recorder-warnings.ts';
import type { Role } from '../../src/feed/ports.ts';
import type { GivenSettings } from '../../src/host/command.ts';
import { seamsOf } from '../../src/host/given-seams.ts';
import { reading } from '../../src/host/open-modules.ts';
import { allSpecs } from '../../src/host/settings/all-settings.ts';
import { readSettings } from '../../src/host/settings/settings.ts';
import { cluster } from '../../src/modules/cluster/module.ts';
import { sharedLedger } from '../../src/modules/shared-ledger/module.ts';

const SHARING = [sharedLedger, cluster];

function warningsOf(env: Record<string, string>, ...roles: readonly Role[]): readonly string[] {
  const read = readSettings(allSpecs(SHARING), {}, env);
  if (!read.ok) throw new Error(read.errors.join('; '));
  const settings = read.settings as GivenSettings['settings'];
  return recorderWarnings(settings, new Set(roles), seamsOf(SHARING, reading(read.settings)));
}

const SHARED = { NATS_URL: 'nats://bus:4222', CLICKHOUSE_URL: 'http://history:8123' };

it('a recorder with a rival, and identities of its own: warned', () => {
  expect(warningsOf(SHARED, 'record')).toEqual([expect.stringContaining('identities of its own')]);
  expect(warningsOf(SHARED, 'collect', 'sell', 'record')).toHaveLength(1);
});

it.each([
  ['identities are shared', { ...SHARED, LEDGER_URL: 'postgres://seller:word@db:5432/perpmeter' }, 'record'],
  ['the history is in its folder', { NATS_URL: SHARED.NATS_URL }, 'record'],
  ['there is no lease', { CLICKHOUSE_URL: SHARED.CLICKHOUSE_URL }, 'record'],
  ['it does not record', SHARED, 'sell'],
  ['there is no history', { ...SHARED, HISTORY: 'off' }, 'record'],
] as const)('a process is not warned where %s', (_, env, role) => {
  expect(warningsOf(env, role)).toEqual([]);
});
