/**
 * The path and query of a purchase as the operator's documents have it: of the receiver that a buyer names, the host alone, since the
 * rest of its address lets anybody post there.
 */
export function shownResource(resource: string): string {
  const [path = '', ...rest] = resource.split('?');
  const parameters = new URLSearchParams(rest.join('?'));
  const webhook = parameters.get('webhook');
  if (webhook === null) return resource;
  parameters.set('webhook', URL.canParse(webhook) ? new URL(webhook).host : '');
  return `${path}?${parameters}`;
}
