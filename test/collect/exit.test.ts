import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { bundle } from '../bundle.ts';

const SCRIPT = new URL('./exit-script.ts', import.meta.url);

describe('A process with a collector', () => {
  it('after stop: ends, although a venue hangs, refuses or streams', async () => {
    const child = spawn(process.execPath, [await bundle(SCRIPT)], {
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
