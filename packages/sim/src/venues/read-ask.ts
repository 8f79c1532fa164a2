/** A client's request on a socket; undefined where the text is no JSON or asks for no known thing. */
export function readAsk<Ask extends object>(text: string): Ask | undefined {
  try {
    return (JSON.parse(text) as Ask | null) ?? undefined;
  } catch {
    return undefined;
  }
}
