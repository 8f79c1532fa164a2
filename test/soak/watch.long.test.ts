import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { soakDeliveries } from './watch-run.ts';

/** A part of what `npm run soak watch` does. */
it('kills beside receivers that misbehave: no firing lost or disordered', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'watch-soak-'));
  try {
    const report = await soakDeliveries({ folder, kills: 5, seed: 3, each: 1 });
    const none = { lost: 0, doubled: 0, disordered: 0, unproven: 0, trapped: 0 };
    expect(report).toMatchObject(none);
    expect(report.taken).toBeGreaterThan(0);
    expect(report.refused).toBeGreaterThan(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
