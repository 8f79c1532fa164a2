/** The JSON in base64 of a header; undefined where there is none that can be read. */
export function base64Json(header: string | null): unknown {
  if (header === null) return undefined;
  try {
    const bytes = Uint8Array.from(atob(header), (character) => character.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** Any value as base64 of JSON. */
export const jsonBase64 = (value: unknown): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))));
