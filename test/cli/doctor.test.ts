import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { simBases } from '@perpmeter/sim/bases';
import { createWorld } from '@perpmeter/sim/create-world';
import { type SimServer, startSimServer } from '@perpmeter/sim/server';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adapterOf } from '../../src/venues/registry.ts';
import { until } from '../until.ts';
import { runCli, scratchFolder, startCli } from './run-cli.ts';

const IDS = ['dydx', 'orderly'];
let sim: SimServer;
let live: readonly string[];

beforeAll(async () => {
  const venues = SIM_VENUES.filter(({ id }) => IDS.includes(id));
  sim = await startSimServer({ world: createWorld(1), venues, tickMs: 50 });
  const bases = IDS.map((id) => [id, simBases(adapterOf(id)?.bases ?? {}, sim.url, id)]);
  live = ['doctor', '--live', '--venue-bases', JSON.stringify(Object.fromEntries(bases))];
});
afterAll(() => sim.close());

describe('perpmeter doctor', () => {
  it('without --live checks settings and disk and makes no request', async () => {
    const run = await runCli(['doctor']);
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('MiB free for var/data') });
    expect(run.stderr).toContain('--live');
    const nowhere = await runCli(['doctor', '--data-dir', '/dev/null/data']);
    expect(nowhere).toMatchObject({ code: 1, stdout: expect.stringMatching(/^wrong: data folder/) });
  });

  it('refuses invalid options, all at once', async () => {
    const run = await runCli([
      'doctor',
      '--live',
      '--venue',
      'nowhere',
      '--gap',
      'soon',
      '--venue-bases',
      '[]',
    ]);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(/--venue \(PERPMETER_VENUES\): no venue "nowhere"; known are .*\bdydx\b/);
    expect(run.stderr).toMatch(/--gap must be seconds/);
    expect(run.stderr).toMatch(/VENUE_BASES must be JSON/);
  });

  it('prints a line per healthy venue and exits 0', async () => {
    const run = await runCli([...live, '--venue', IDS.join(','), '--gap', '0']);
    expect(run.stdout).toMatch(/^dydx .* well$/m);
    expect(run.stdout).toMatch(/^orderly .* well$/m);
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('dydx: ');
  });

  it('prints findings as JSON, writes their payloads, and exits 1', async () => {
    const { cancel } = sim.faults.add({
      venue: 'dydx',
      fault: { kind: 'rename', field: 'openInterest', to: 'oi' },
    });
    const cwd = scratchFolder();
    const run = await runCli([...live, '--venue', 'dydx', '--gap', '0', '--json', '--payloads', 'wrong'], {
      cwd,
    });
    cancel();
    expect(run.code).toBe(1);
    const report = JSON.parse(run.stdout);
    expect(report).toMatchObject({ is_well: false, is_complete: true });
    expect(report.findings).toContainEqual(
      expect.objectContaining({ venue: 'dydx', severity: 'wrong', check: 'fields' }),
    );
    const [file = ''] = readdirSync(join(cwd, 'wrong'));
    const kept = JSON.parse(readFileSync(join(cwd, 'wrong', file), 'utf8'));
    expect(kept).toMatchObject({
      venue: 'dydx',
      findings: [{ venue: 'dydx' }, ...Array(kept.findings.length - 1).fill({})],
    });
    expect(JSON.stringify(kept.payload)).toContain('"oi"');
  });

  it('reports partial results as incomplete after Ctrl-C', async () => {
    const child = startCli([...live, '--venue', 'dydx', '--gap', '3600'], scratchFolder());
    const { stdout, stderr } = child;
    if (stdout === null || stderr === null) throw new Error('no pipes');
    const ended = once(child, 'exit');
    const said = text(stdout);
    const before = sim.log.counts().dydx?.sockets ?? 0;
    await until(() => expect(sim.log.counts().dydx?.sockets).toBeGreaterThan(before));
    child.kill('SIGINT');
    expect(await ended).toEqual([1, null]);
    expect(await said).toContain('not complete: stopped before everything was asked');
  });
});
