import { challengeAnswer, publishedKeys, verifyWebhook, type Webhook } from '@perpmeter/client';

interface Watching {
  /** Address of the service, whose keys are believed. */
  readonly baseUrl: string;
  /** Id of the watch, as its purchase returned it. */
  readonly watchId: string;
  readonly told: (firing: Webhook) => Promise<void>;
}

/** Takes the firings of one watch, each once, in any server that speaks `Request` and `Response`. */
export function webhookReceiver({ baseUrl, watchId, told }: Watching) {
  const keys = publishedKeys(baseUrl);
  let last = 0;
  return async (request: Request): Promise<Response> => {
    const body = new Uint8Array(await request.arrayBuffer());
    const result = await verifyWebhook({ headers: request.headers, body, keys });
    if (!result.ok) {
      const status = result.problem.code === 'keys_unavailable' ? 503 : 400;
      return new Response(result.problem.detail, { status });
    }
    const { webhook } = result;
    if (webhook.watchId !== watchId) return new Response('not my watch', { status: 404 });
    const answer = challengeAnswer(webhook);
    if (answer !== undefined) return new Response(answer);
    // Firings come in order, and again after an answer that was lost.
    if (webhook.sequence !== null && webhook.sequence > last) {
      await told(webhook);
      last = webhook.sequence;
    }
    return new Response();
  };
}
