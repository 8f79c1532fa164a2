import { describe, expect, it } from 'vitest';
import type { Host, Module, OpenModule } from './module.ts';
import { moduleFaults, OpenModules, reading } from './open-modules.ts';
import type { Service } from './options.ts';

const SPECS = { hello: { flag: 'hello', env: 'HELLO', type: 'text', about: 'a name to greet' } } as const;

/** Modules that note what becomes of them. */
function noting(...faulty: readonly string[]) {
  const notes: string[] = [];
  const make = (id: string, more: Partial<Module> = {}): Module => ({
    id,
    open: async () => {
      if (faulty.includes(`open ${id}`)) throw new Error('its store is damaged');
      notes.push(`open ${id}`);
      const opened: OpenModule = {
        start: () => {
          if (faulty.includes(`start ${id}`)) throw new Error('its port is taken');
          notes.push(`start ${id}`);
          return { [id]: 'here' };
        },
        stop: () => void notes.push(`stop ${id}`),
      };
      return opened;
    },
    ...more,
  });
  return { notes, make };
}

const host = { settings: reading({}) } as unknown as Host;
const service = {} as Service;

describe('modules of a service', () => {
  it('all are well: started in order, stopped in the reverse', async () => {
    const { notes, make } = noting();
    const modules = await OpenModules.open([make('a'), make('b')], host);
    expect(await modules.start(service)).toEqual({ a: 'here', b: 'here' });
    await modules.stop();
    await modules.stop();
    expect(notes).toEqual(['open a', 'open b', 'start a', 'start b', 'stop b', 'stop a']);
  });

  it('one cannot be opened: it is named, and those before it end', async () => {
    const { notes, make } = noting('open b');
    await expect(OpenModules.open([make('a'), make('b'), make('c')], host)).rejects.toThrow(
      'the module b cannot be opened: its store is damaged',
    );
    expect(notes).toEqual(['open a', 'stop a']);
  });

  it('one cannot start: those that were opened end with it', async () => {
    const { notes, make } = noting('start b');
    const modules = await OpenModules.open([make('a'), make('b'), make('c')], host);
    await expect(modules.start(service)).rejects.toThrow('its port is taken');
    await modules.stop();
    expect(notes.slice(3)).toEqual(['start a', 'stop c', 'stop b', 'stop a']);
  });

  it('one is off: not opened, and what was set of it is refused', async () => {
    const { notes, make } = noting();
    const off = make('a', { off: () => 'set A', settings: [{ after: 'port', specs: SPECS }] });
    await OpenModules.open([off], host);
    expect(notes).toEqual([]);
    expect(await moduleFaults([off], host.settings, new Set(['hello']))).toEqual([
      '--hello (PERPMETER_HELLO) does nothing, since the module a is off: set A',
    ]);
    expect(await moduleFaults([off], host.settings, new Set(['port']))).toEqual([]);
  });

  it('one needs another that is off or missing: a fault', async () => {
    const { make } = noting();
    const needy = make('b', { needs: ['a'] });
    const fault = 'the module b needs the module a, which is off';
    expect(await moduleFaults([needy], host.settings, new Set())).toEqual([fault]);
    expect(await moduleFaults([make('a', { off: () => '' }), needy], host.settings, new Set())).toEqual([
      fault,
    ]);
    expect(await moduleFaults([make('a'), needy], host.settings, new Set())).toEqual([]);
  });
});
