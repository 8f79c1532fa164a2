/** Kinds of rows that a stream may have. */
export const TOPICS = ['funding', 'touches'] as const;
export type TopicName = (typeof TOPICS)[number];
