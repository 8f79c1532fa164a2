import type { Failure } from '../domain/errors.ts';
import { problem, uncached } from './replies.ts';
import type { Paywall, PaywallReply, RenderProblem, Work } from './types.ts';

/** The paywall of mode `off`: everything is answered, nothing is charged. */
export function createFreePaywall(renderProblem: RenderProblem): Paywall {
  const failed = (failure: Failure): PaywallReply => problem({ renderProblem }, failure);
  return {
    free: true,
    challenge: () => failed({ code: 'internal', detail: 'Nothing is charged here.' }),
    async pay(_route, _input, work) {
      try {
        return await serve(work, failed);
      } catch {
        return failed({ code: 'internal', detail: 'Something failed here.' });
      }
    },
  };
}

async function serve(work: Work, failed: (failure: Failure) => PaywallReply): Promise<PaywallReply> {
  const refused = work.check();
  if (refused !== undefined) return failed(refused);
  const made = await work.produce();
  return made.ok ? uncached(made.value) : failed(made.error);
}
