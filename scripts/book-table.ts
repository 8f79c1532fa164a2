/**
 * Writes the table of docs/books.md from the adapters: `npm run docs books`. With `--check` it writes nothing and
 * exits 1 where the table is out of date.
 */
import type { VenueAdapter } from '../src/venues/adapter.ts';
import type { Continuity } from '../src/venues/book-continuity.ts';
import type { BookFeed } from '../src/venues/book-feed.ts';
import { BookFrame } from '../src/venues/book-frame.ts';
import { KNOWN_VENUES } from '../src/venues/registry.ts';
import { writeGeneratedPart } from './generated-part.ts';
import { markdownTable } from './markdown-table.ts';

const HEADER = ['venue', 'books by', 'begins with', 'rule', 'a lost message', 'rule recorded'];

const BEGINNINGS: Readonly<Record<BookFeed['initialSnapshot'], string>> = {
  stream: 'a snapshot of the stream',
  rest: 'a REST snapshot, joined',
  either: 'the stream, else REST',
};

/** The field that places a message in the order, by the rule itself. */
function order({ sequenceOf }: Continuity): 'number' | 'time' | 'none' {
  const stamps = new BookFrame();
  stamps.reset();
  stamps.sequence = 1;
  stamps.venueTime = 2;
  const found = sequenceOf(stamps);
  return found === 1 ? 'number' : found === 2 ? 'time' : 'none';
}

function rule({ continuity, stream, crossed }: BookFeed): string {
  const by = order(continuity);
  const ordered = by === 'number' ? 'numbers grow' : by === 'time' ? 'times grow' : 'order of arrival';
  let kept = `${ordered}`;
  if (continuity.isSnapshotOnly === true) kept = 'every message is whole';
  else if (stream?.connectionSequence !== undefined) kept = 'numbers of the connection, one by one';
  else if (continuity.detectsLoss) kept = 'each message follows one by number';
  return crossed === 'uncross' ? `${kept}; crossed levels: the newer stays` : kept;
}

function loss({ continuity, rest }: BookFeed): string {
  if (continuity.detectsLoss) return 'shows at the next';
  if (continuity.isSnapshotOnly === true) return 'is made good by the next';
  return rest === undefined ? 'does not show' : 'shows against REST';
}

function row({ id, parent, books }: VenueAdapter): string[] {
  const link = `[${id}](../src/venues/${parent ?? id}/VENUE.md)`;
  if (books === undefined) return [link, 'none', '', '', '', ''];
  if (books.stream === undefined) return [link, 'REST', 'a REST book', '', '', ''];
  const by = books.rest === undefined ? 'stream' : 'stream, REST';
  return [link, by, BEGINNINGS[books.initialSnapshot], rule(books), loss(books), books.stream.evidence];
}

const bySource = [...KNOWN_VENUES].sort((a, b) => (a.sourceId ?? 0) - (b.sourceId ?? 0));
writeGeneratedPart('docs/books.md', 'npm run docs books', markdownTable(HEADER, bySource.map(row)));
