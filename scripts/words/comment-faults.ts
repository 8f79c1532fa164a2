/** Words that make a noun clause of a sentence that begins with them, so that the comment has no main clause. */
const HEADLESS = /^(?:What|Whatever|Whether|Who|Whoever|Whom|Whose|Which|Whichever|How|Why)\b/;

/** Sentences that begin so have a main clause only behind a comma, and a colon or semicolon before it begins another one. */
const NEEDS_COMMA = /^(?:Where|Wherever)\b/;

/** Turns of phrase that hide who does what. */
const VAGUE = /\b(?:whoever|(?:is|are|was|were) (?:said|told)|of nothing|made of)\b/i;

/** The words of a comment on one line, without its marks and without what it quotes as code. */
function wordsOf(comment: string): string {
  return comment
    .replace(/^\/\*+|\*\/$/g, '')
    .replace(/^[ \t]*(?:\*|\/\/)[ \t]?/gm, '')
    .replace(/`[^`]*`/g, '`code`')
    .replace(/\n[ \t]*(?=\n|- |@)/g, '. ')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * Faults of the sentences of one comment (a block, or adjacent lines of `//`), in words for its author.
 * A question keeps its question word. Sentences end with a full stop, an exclamation mark or an empty line.
 */
export function commentFaults(comment: string): string[] {
  const words = wordsOf(comment);
  const sentences = words
    .split(/(?<=[.!?])\s+/)
    .map((sentence) => sentence.replace(/^[^\w`'"(]*(?:- )?/, ''));
  const faults = sentences.flatMap((sentence) => {
    if (sentence.endsWith('?')) return [];
    const isHeadless =
      HEADLESS.test(sentence) || (NEEDS_COMMA.test(sentence) && !/^[^:;]*,\s/.test(sentence));
    return isHeadless ? [`headless clause "${sentence.slice(0, 40)}"`] : [];
  });
  const vague = VAGUE.exec(words);
  return vague === null ? faults : [...faults, `vague phrase "${vague[0]}"`];
}
