/** Date, optional time, optional zone. A `+` of the zone arrives as a blank when it was not percent-encoded. */
const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+\- ]\d{2}:?\d{2})?)?$/i;

/** Milliseconds of an ISO 8601 text; one without a zone is UTC. Undefined when it names no moment. */
export function readDate(text: string): number | undefined {
  const parts = ISO.exec(text);
  if (parts === null) return undefined;
  const [, date = '', time = '00:00', zone = 'Z'] = parts;
  const offset = zone.replace(' ', '+').replace(/^(.\d{2})(\d{2})$/, '$1:$2');
  const ms = Date.parse(`${date}T${time}${offset.toUpperCase()}`);
  return Number.isNaN(ms) ? undefined : ms;
}
