import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const CLAIM = fileURLToPath(new URL('../../src/modules/demo/claim.ts', import.meta.url));
const TSX = fileURLToPath(import.meta.resolve('tsx'));

let folder: string;
let other: ChildProcess;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'claim-'));
  // By its command line it could be a part of a demo.
  const echo = "process.on('message', (text) => process.send(text))";
  other = spawn(process.execPath, ['-e', echo, '/x/cli/y'], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  await once(other, 'spawn');
});
afterEach(async () => {
  if (other.exitCode === null && other.signalCode === null) {
    other.kill('SIGKILL');
    await once(other, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Claims the folder, which a file says was that of a demo with this process. */
function claim(part: 'demo' | 'service', ageMs: number) {
  mkdirSync(join(folder, 'var'));
  const file = join(folder, 'var/demo.json');
  writeFileSync(file, JSON.stringify({ pids: { [part]: other.pid } }));
  const at = (Date.now() - ageMs) / 1000;
  utimesSync(file, at, at);
  const script = `import { claimDemo } from ${JSON.stringify(CLAIM)}; console.log((await claimDemo()) ?? 'claimed');`;
  const args = ['--import', TSX, '--input-type=module', '-e', script];
  return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).stdout.trim();
}

describe('the folder of a demo that was killed', () => {
  it('is claimed, and what is left of that demo is ended', async () => {
    const ended = once(other, 'exit');
    expect(claim('service', 0)).toBe('claimed');
    expect(await ended).toEqual([null, 'SIGKILL']);
  });

  it('its number given to another process: that is not touched', async () => {
    expect(claim('service', 3_600_000)).toBe('claimed');
    const said = Promise.race([once(other, 'message'), once(other, 'exit')]);
    other.send('alive');
    expect((await said)[0]).toBe('alive');
  });

  it.each([0, 3_600_000])('is not claimed where the demo itself may run, of a file %i ms old', (ageMs) => {
    expect(claim('demo', ageMs)).toContain(`a demo runs in this folder already (process ${other.pid})`);
  });
});
