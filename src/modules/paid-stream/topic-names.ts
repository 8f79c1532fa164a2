/** Kinds of rows that a stream may have. */
export const TOPICS = ['funding', 'touches', 'quotes', 'signals'] as const;
export type TopicName = (typeof TOPICS)[number];
