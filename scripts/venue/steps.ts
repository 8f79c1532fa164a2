import { secondByCcxt } from '../../src/modules/second-reader/ccxt/second-fields.ts';
import type { VenueAdapter } from '../../src/venues/adapter.ts';
import { READERS } from '../../test/ccxt/readers/index.ts';

/** One check of a venue: what is run, and why it does not concern this one. */
export interface Step {
  readonly name: string;
  readonly commands: readonly (readonly string[])[];
  /** A sentence where the venue has nothing that it would look at. */
  readonly unneeded?: string | undefined;
}

const vitest = (file: string, filter?: string): readonly string[] => [
  'vitest',
  'run',
  ...file.split(' '),
  ...(filter === undefined ? [] : ['-t', filter]),
];
const program = (file: string, ...args: string[]): readonly string[] => ['tsx', file, ...args];

const streams = ({ books, streams: list }: VenueAdapter): boolean =>
  books?.stream !== undefined || (list ?? []).length > 0;

/** The checks that a venue must pass, in the order in which they help: each rests on those before it. */
export function stepsOf(adapter: VenueAdapter): readonly Step[] {
  const { id } = adapter;
  const quoted = `'${id}'`;
  const hasCcxt = READERS.some(({ venue }) => venue === id);
  const noReader = hasCcxt ? undefined : 'no reader through ccxt';
  return [
    {
      name: 'compiles',
      commands: [
        ['tsc', '-p', 'tsconfig.json', '--noEmit'],
        ['biome', 'check', '.'],
      ],
    },
    { name: 'numbered checks', commands: [vitest('test/venues/venue-checks.test.ts', quoted)] },
    { name: 'its own tests', commands: [vitest(`src/venues/${id}/`)] },
    { name: 'page, fee, index, source id', commands: [vitest('test/venues/venue-profiles.test.ts', quoted)] },
    { name: 'declared units and sides', commands: [vitest('test/venues/published.test.ts', quoted)] },
    { name: 'second ways', commands: [vitest('test/venues/second-ways.test.ts', quoted)] },
    { name: 'identities', commands: [vitest('test/venues/identity.test.ts', quoted)] },
    { name: 'evidence of the interface', commands: [vitest('test/venues/verified.test.ts', quoted)] },
    {
      name: 'back-fill',
      commands: [vitest('test/venues/backfill-endpoints.test.ts', quoted)],
      unneeded: (adapter.backfill ?? []).length > 0 ? undefined : 'no back-fill',
    },
    {
      name: 'what keeps connections alive',
      commands: [vitest('test/venues/keep-alive.test.ts', quoted)],
      unneeded: streams(adapter) ? undefined : 'no stream',
    },
    {
      name: 'streamed books under faults',
      commands: [vitest('test/books/every-venue.test.ts', id)],
      unneeded: adapter.books?.stream === undefined ? 'no streamed books' : undefined,
    },
    { name: 'rate budgets of all venues', commands: [vitest('test/collect/rate-budgets.test.ts')] },
    { name: 'damaged payloads', commands: [program('test/soak/decode.ts', '--venue', id)] },
    {
      name: 'tables in docs: npm run docs venues, books, units',
      commands: ['venue-terms', 'venue-table', 'book-table', 'field-units'].map((name) =>
        program(`scripts/${name}.ts`, '--check'),
      ),
    },
    {
      name: 'as ccxt reads it',
      commands: [
        vitest('--config vitest.long.config.ts test/ccxt/agreement.long.test.ts', quoted),
        ...(secondByCcxt(adapter) === undefined
          ? []
          : [vitest('test/second-reader/second-exchange.test.ts', id)]),
        program('test/ccxt/check.ts'),
      ],
      unneeded: noReader,
    },
    { name: 'held outputs: npm run check held -- --write', commands: [program('scripts/held-outputs.ts')] },
  ];
}
