type Coding = 'gzip' | 'br';

/**
 * True if a client accepts a content coding, by its Accept-Encoding (RFC 9110 12.5.3). No header means identity
 * only.
 */
export function acceptsCoding(header: string | undefined, coding: Coding): boolean {
  if (header === undefined) return false;
  let any = false;
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...options] = part.split(';').map((piece) => piece.trim());
    const refused = options.some((option) => /^q=0(?:\.0{0,3})?$/.test(option));
    if (name === coding || name === `x-${coding}`) return !refused;
    if (name === '*') any = !refused;
  }
  return any;
}

/** `acceptsCoding` of gzip; what most clients send is compared as text. */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false;
  if (!header.includes(';')) return header.includes('gzip') || header.includes('*');
  return acceptsCoding(header, 'gzip');
}
