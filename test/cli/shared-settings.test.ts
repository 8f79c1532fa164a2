import { expect, it } from 'vitest';
import type { GivenSettings } from '../../src/host/command.ts';
import { seamsOf } from '../../src/host/given-seams.ts';
import { moduleFaults, reading } from '../../src/host/open-modules.ts';
import { allSpecs } from '../../src/host/settings/all-settings.ts';
import { printableSettings } from '../../src/host/settings/printable-settings.ts';
import { readSettings } from '../../src/host/settings/settings.ts';
import { cluster } from '../../src/modules/cluster/module.ts';
import { sharedLedger } from '../../src/modules/shared-ledger/module.ts';
import { tables } from '../../src/modules/tables/module.ts';

const SHARING = [tables, sharedLedger, cluster];
const SPECS = allSpecs(SHARING);

function settings(flags: Record<string, string>): GivenSettings['settings'] {
  const result = readSettings(SPECS, flags, {});
  if (!result.ok) throw new Error(result.errors.join('; '));
  return result.settings as GivenSettings['settings'];
}

function printed(flags: Record<string, string>): Record<string, unknown> {
  const read = settings(flags);
  return printableSettings(SPECS, read, seamsOf(SHARING, reading(read)));
}

it('nothing is shared: all is embedded', () => {
  const alone = { ledger: 'embedded', identities: 'embedded', feed: 'embedded', role: ['all'] };
  expect(printed({})).toMatchObject({ ...alone, ledgerUrl: null, natsUrl: null });
});

it('a ledger is shared: identities are with it, its address is masked', () => {
  const shared = { ledger: 'postgres', identities: 'postgres', feed: 'embedded' };
  expect(printed({ ledgerUrl: 'postgres://seller:word@db/perpmeter' })).toMatchObject({
    ...shared,
    ledgerUrl: '***',
  });
});

it('a feed is shared: its address is masked', () => {
  const apart = { role: 'sell,record', natsUrl: 'nats://seller:word@bus:4222' };
  expect(printed(apart)).toMatchObject({ role: ['sell', 'record'], feed: 'nats', natsUrl: '***' });
});

it.each([
  ['ledgerUrl', 'mysql://db/perpmeter', 'LEDGER_URL must be postgres://user:password@host:port/database'],
  ['ledgerUrl', 'postgres://seller:word@db/perpmeter', undefined],
  ['natsUrl', 'http://x', 'NATS_URL must be nats://host:4222 or tls://host:4222, several comma separated'],
  ['natsUrl', 'nats://a:4222, tls://b:4222', undefined],
])('%s %s: %s', async (name, url, fault) => {
  const faults = await moduleFaults(SHARING, reading(settings({ [name]: url })), new Set([name]));
  expect(faults).toEqual(fault === undefined ? [] : [fault]);
});
