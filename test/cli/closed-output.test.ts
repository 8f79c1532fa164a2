import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

it('a reader that closes early, as head does: it ends as usual', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', main, 'venues', '--json'], {
    env: { ...process.env, PERPMETER_URL: 'http://127.0.0.1:1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let said = '';
  child.stderr.on('data', (piece: Buffer) => {
    said += piece.toString();
  });
  const [code] = await once(child, 'close');
  expect([code, said]).toEqual([0, expect.not.stringContaining('EPIPE')]);
});
