import { CARDS, type Card } from './cards.ts';
import { PAYLOAD_CARDS } from './payload-cards.ts';

/** All cards that look at one venue, with the numbers that ADD_A_VENUE.md calls them by. */
export const DECK: readonly Card[] = [...CARDS, ...PAYLOAD_CARDS].map((card, i) => ({
  ...card,
  name: `${i + 1}. ${card.name}`,
}));

/** The card that needs the venue's own refusal. */
export const ERROR_CARD = `${DECK.length + 1}. rejects error bodies that come with HTTP 200`;

/** The card of a host, whichever venues share it. */
export const LIMIT_CARD = `${DECK.length + 2}. keeps the weight of its polls within the limit`;
