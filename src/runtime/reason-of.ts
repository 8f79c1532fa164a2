/** Text for a thrown value: the message of an error, anything else as text. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
