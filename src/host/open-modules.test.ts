import { describe, expect, it } from 'vitest';
import { fill, type Port } from '../runtime/port.ts';
import type { Timer } from '../runtime/timer.ts';
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
        stop: () => {
          notes.push(`stop ${id}`);
          if (faulty.includes(`stop ${id}`)) throw new Error('its store is damaged');
          return faulty.includes(`end ${id}`) ? new Promise<void>(() => {}) : undefined;
        },
      };
      return opened;
    },
    ...more,
  });
  return { notes, make };
}

/** A host, and what was logged there. */
function makeHost() {
  const errors: unknown[] = [];
  const logger = { error: (fields: object) => void errors.push(fields) };
  return { errors, host: { settings: reading({}), logger } as unknown as Host };
}

const { host } = makeHost();
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
    await expect(modules.start(service)).rejects.toThrow('the module b cannot start: its port is taken');
    await modules.stop();
    expect(notes.slice(3)).toEqual(['start a', 'stop c', 'stop b', 'stop a']);
  });

  it('one fails to stop: logged, and those before it end', async () => {
    const { notes, make } = noting('stop b');
    const { errors, host } = makeHost();
    const modules = await OpenModules.open([make('a'), make('b')], host);
    await modules.stop();
    expect(notes.slice(2)).toEqual(['stop b', 'stop a']);
    expect(errors).toEqual([{ module: 'b', reason: 'its store is damaged' }]);
  });

  it('one does not end: after ten seconds it is waited for no more', async () => {
    const { notes, make } = noting('end b');
    const { errors, host } = makeHost();
    const waits: number[] = [];
    const timer: Timer = (ms, run) => {
      waits.push(ms);
      // The time of the one that ends is over, too, but only after its end.
      queueMicrotask(() => queueMicrotask(() => queueMicrotask(run)));
      return () => {};
    };
    const modules = await OpenModules.open([make('a'), make('b')], host, { timer });
    await modules.stop();
    expect(notes.slice(2)).toEqual(['stop b', 'stop a']);
    expect(errors).toEqual([{ module: 'b', reason: 'it did not end within 10 seconds' }]);
    expect(waits).toEqual([10_000, 10_000]);
  });

  it('one cannot be opened, another fails to stop: the first is named', async () => {
    const { make } = noting('stop a', 'open b');
    const opening = OpenModules.open([make('a'), make('b')], makeHost().host);
    await expect(opening).rejects.toThrow('the module b cannot be opened');
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

  it('one is off by its own setting, which the hint names: no fault', async () => {
    const { make } = noting();
    const hint = '--hello (PERPMETER_HELLO) on turns it on';
    const off = make('a', { off: () => hint, settings: [{ after: 'port', specs: SPECS }] });
    expect(await moduleFaults([off], host.settings, new Set(['hello']))).toEqual([]);
  });

  it('one fills a port: read by those that open later, absent before', async () => {
    const greeting: Port<string | undefined> = { name: 'greeting', absent: undefined };
    const seen: (string | undefined)[] = [];
    const reader = (id: string): Module => ({
      id,
      open: async ({ readPort }) => {
        seen.push(readPort(greeting));
        return {};
      },
    });
    const filler: Module = { id: 'b', open: async () => ({ ports: [fill(greeting, 'hello')] }) };
    const { readPort } = await OpenModules.open([reader('a'), filler, reader('c')], host);
    expect(seen).toEqual([undefined, 'hello']);
    expect(readPort(greeting)).toBe('hello');
    expect(readPort({ name: 'greeting', absent: 'another' })).toBe('another');
  });

  it('two fill one port: the second is named, and both end', async () => {
    const greeting: Port<number> = { name: 'greeting', absent: 0 };
    const { notes, make } = noting();
    const filling = (id: string) =>
      make(id, {
        open: async () => ({ ports: [fill(greeting, 1)], stop: () => void notes.push(`stop ${id}`) }),
      });
    const opening = OpenModules.open([filling('a'), filling('b')], host);
    await expect(opening).rejects.toThrow('the module b cannot be opened: the port greeting is filled twice');
    expect(notes).toEqual(['stop b', 'stop a']);
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
