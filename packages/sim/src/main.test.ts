import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { bundle } from '../../../test/bundle.ts';

const MAIN = new URL('./main.ts', import.meta.url);
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

async function start(ipc: boolean) {
  const stdio = ipc
    ? (['ignore', 'pipe', 'inherit', 'ipc'] as const)
    : (['pipe', 'pipe', 'inherit'] as const);
  const child = spawn(process.execPath, [await bundle(MAIN), '--port', '0', '--seed', '5'], {
    stdio: [...stdio],
  });
  children.push(child);
  if (child.stdout === null) throw new Error('no stdout');
  const [line] = await once(createInterface(child.stdout), 'line');
  const ready: unknown = JSON.parse(String(line));
  return { child, ready };
}

describe('the simulation as a process', () => {
  it('says where it listens, serves, and ends on SIGTERM', async () => {
    const { child, ready } = await start(false);
    expect(ready).toMatchObject({ ready: true, port: expect.any(Number), simulated: true });
    const { url } = ready as { url: string };
    const health = await (await fetch(`${url}/__sim/health`)).json();
    expect(health).toMatchObject({ simulated: true, seed: 5 });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('ends when its stdin closes', async () => {
    const { child } = await start(false);
    child.stdin?.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('ends when its parent disconnects', async () => {
    const { child } = await start(true);
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
