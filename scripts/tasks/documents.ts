import { script, type Tasks } from './task.ts';

export const DOCUMENTS: Tasks = {
  venues: {
    help: '[docs/venues.md](docs/venues.md), from the adapters and their VENUE.md, and there what lists of contracts state',
    commands: [script('scripts/venue-terms.ts'), script('scripts/venue-table.ts')],
  },
  books: {
    help: 'the table of [docs/books.md](docs/books.md), from the adapters',
    commands: [script('scripts/book-table.ts')],
  },
  spot: {
    help: 'the tables of [docs/spot.md](docs/spot.md) and [docs/identity.md](docs/identity.md#spot-markets), from the spot side of the venues',
    commands: [script('scripts/spot-table.ts')],
  },
  events: {
    help: 'the table of [docs/events.md](docs/events.md), from what venues are declared to publish',
    commands: [script('scripts/events-table.ts')],
  },
  units: {
    help: '`src/products/field-units.json`, from the VENUE.md of all venues',
    commands: [script('scripts/field-units.ts')],
  },
  payments: {
    help: 'the life of a payment in [docs/payment-lifecycle.md](docs/payment-lifecycle.md), from its table',
    commands: [script('scripts/payment-diagram.ts')],
  },
  networks: {
    help: 'the table of [docs/networks.md](docs/networks.md), from `src/pay/networks.json`',
    commands: [script('scripts/network-table.ts')],
  },
  examples: {
    help: "`src/products/examples` and those of modules, from the service's own answers over the simulated venues at one moment",
    commands: [script('scripts/write-examples.ts')],
  },
  screens: {
    help: 'the pictures of the page, from Chromium over the demo',
    commands: [script('scripts/screens.ts')],
  },
  tasks: {
    help: 'the tables of these commands in [CONTRIBUTING.md](CONTRIBUTING.md)',
    commands: [script('scripts/task-table.ts')],
  },
};
