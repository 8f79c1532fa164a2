import { describe, expect, it } from 'vitest';
import { asMs } from '../../domain/units.ts';
import { TableVersion } from './table-version.ts';

describe('TableVersion', () => {
  it('reads the table no more often than needed, and after a clock set back', () => {
    let now = 1000;
    const table = { version: 1 };
    const version = new TableVersion(table, { now: () => asMs(now) }, 100);
    table.version = 2;
    expect(version.current()).toBe(1);
    now += 99;
    expect(version.current()).toBe(1);
    now += 1;
    expect(version.current()).toBe(2);
    table.version = 3;
    now -= 500;
    expect(version.current()).toBe(3);
  });
});
