/** What a stream may tell. */
export const TOPICS = ['funding', 'touches'] as const;
export type TopicName = (typeof TOPICS)[number];
