import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const HERE = dirname(fileURLToPath(import.meta.url));

describe('A process with a collector', () => {
  it('ends by itself after stop, although a venue hangs, one refuses and a stream is open', async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', resolve(HERE, 'exit-script.ts')], {
      cwd: resolve(HERE, '../..'),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    const [code] = await once(child, 'close');
    expect(output).toBe('stopped\n');
    expect(code).toBe(0);
  });
});
