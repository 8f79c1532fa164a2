import { describe, expect, it } from 'vitest';
import { EVENT_VENUES } from '../../src/modules/events/registry.ts';
import { soakEvents } from '../soak/event-soak.ts';

describe('damaged frames of events', () => {
  const results = soakEvents({ seed: 1, limit: 40 });

  it('no exception, no NaN, no zero, no silent loss, no value unsaid', () => {
    expect(results.flatMap(({ problems }) => problems).slice(0, 20)).toEqual([]);
  });

  it('are of every venue', () => {
    const damaged = results.filter(({ mutations }) => mutations > 0).map(({ venue }) => venue);
    expect(damaged).toEqual(EVENT_VENUES.map(({ id }) => `${id} events`));
  });
});
