/** Whether a client takes gzip, by its Accept-Encoding (RFC 9110 12.5.3). No header means identity only. */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false;
  if (!header.includes(';')) return header.includes('gzip') || header.includes('*');
  let any = false;
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...options] = part.split(';').map((piece) => piece.trim());
    const refused = options.some((option) => /^q=0(?:\.0{0,3})?$/.test(option));
    if (name === 'gzip' || name === 'x-gzip') return !refused;
    if (name === '*') any = !refused;
  }
  return any;
}
