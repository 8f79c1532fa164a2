/** True if a client prefers HTML to JSON, by its Accept (RFC 9110 12.5.1): browsers name it, others do not. */
export function prefersHtml(header: string | undefined): boolean {
  return header !== undefined && qualityOf(header, 'text/html') > qualityOf(header, 'application/json');
}

/** The quality of a media type, 0 to 1: by its own name, else its range, else the wildcard. */
function qualityOf(header: string, type: string): number {
  const ranges = new Map(
    header.split(',').map((part): [string, number] => {
      const [name = '', ...options] = part.split(';').map((piece) => piece.trim().toLowerCase());
      const weight = options.find((option) => option.startsWith('q='));
      return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
    }),
  );
  return ranges.get(type) ?? ranges.get(type.replace(/\/.*/, '/*')) ?? ranges.get('*/*') ?? 0;
}

/** True if a client takes events, by its Accept. */
export const acceptsEvents = (header: string | undefined): boolean =>
  header !== undefined && /(?:^|[\s,])text\/event-stream\b/i.test(header);
