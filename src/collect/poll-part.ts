import type { Poll, VenueRequest } from '../venues/adapter.ts';

/** An address for a person is cut to so many characters. */
const LABEL_LENGTH = 80;

/** One request of a round. */
export interface PollPart {
  /** The same over all rounds: the address may hold a moment or the contracts of today. */
  readonly name: string;
  /** For a person, where the poll has several requests. */
  readonly label: string | undefined;
  readonly request: VenueRequest;
}

/** Requests of all contracts keep their order; those of one contract each are in the order of what is traded. */
export function pollParts(
  requests: readonly VenueRequest[],
  { spread }: Pick<Poll, 'spread'>,
): readonly PollPart[] {
  return requests.map((request, place) => {
    const { symbol, path, body = '' } = request;
    const address = `${path}${body}`.slice(0, LABEL_LENGTH);
    if (spread === true) return { name: symbol ?? path, label: symbol ?? address, request };
    return { name: String(place), label: requests.length > 1 ? address : undefined, request };
  });
}
