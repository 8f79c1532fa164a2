/** What a client asks of a socket; undefined where the text is no JSON or says nothing. */
export function readAsk<Ask extends object>(text: string): Ask | undefined {
  try {
    return (JSON.parse(text) as Ask | null) ?? undefined;
  } catch {
    return undefined;
  }
}
