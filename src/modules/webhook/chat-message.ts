import type { Outgoing } from './outbound.ts';
import { PLAIN_HEADERS } from './signed-message.ts';

/** Field of an incoming webhook of a chat service that takes the words. */
export const CHAT_FORMATS = ['text', 'content'] as const;
export type ChatFormat = (typeof CHAT_FORMATS)[number];

/** Discord takes so many characters, and the others more. */
const MOST_CHARACTERS = 2000;
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Words as an incoming webhook of a chat service takes them: `text` as Slack and Mattermost do, `content` as Discord. Names
 * that venues gave cannot mention anybody there.
 */
export function chatMessage(words: string, format: ChatFormat): Outgoing {
  const short = words.slice(0, MOST_CHARACTERS);
  const body =
    format === 'text'
      ? { text: short.replace(/[&<>]/g, (character) => ESCAPES[character] ?? character) }
      : { content: short, allowed_mentions: { parse: [] } };
  return { body: JSON.stringify(body), headers: PLAIN_HEADERS };
}
