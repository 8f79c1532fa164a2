/** Date, optional time, optional zone. A `+` of the zone arrives as a blank when it was not percent-encoded. */
const ISO =
  /^(\d{4}-\d{2}-\d{2})(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)(Z|[+\- ](?:[01]\d|2[0-3]):?[0-5]\d)?)?$/i;

/**
 * Milliseconds of an ISO 8601 text; one without a zone is UTC. Undefined when it names no moment: neither 30 February
 * nor 25 o'clock exists, though the language reads the first as 2 March.
 */
export function readDate(text: string): number | undefined {
  const parts = ISO.exec(text);
  if (parts === null) return undefined;
  const [, date = '', time = '00:00', zone = 'Z'] = parts;
  if (!exists(date)) return undefined;
  const offset = zone.replace(' ', '+').replace(/^(.\d{2})(\d{2})$/, '$1:$2');
  const ms = Date.parse(`${date}T${time}${offset.toUpperCase()}`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** True if the calendar has such a day. */
function exists(date: string): boolean {
  const at = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
}

/** Unix time: ten digits are seconds, with a fraction where there is one, and thirteen are milliseconds. */
const EPOCH = /^(?:(\d{10}(?:\.\d{1,9})?)|(\d{13}))$/;

/**
 * Milliseconds of a Unix time in seconds or milliseconds, 2001 to 2286: in these years the number of digits tells the two
 * apart. Undefined for any other text.
 */
export function readEpoch(text: string): number | undefined {
  const [, seconds, ms] = EPOCH.exec(text) ?? [];
  if (ms !== undefined) return Number(ms);
  return seconds === undefined ? undefined : Math.floor(Number(seconds) * 1000);
}
