import type { Failure } from '../domain/errors.ts';
import { problem, uncached } from './gate-context.ts';
import type { Gate, GateReply, RenderProblem, Work } from './types.ts';

/** The gate of mode `off`: everything is answered, nothing is charged. */
export function createFreeGate(renderProblem: RenderProblem): Gate {
  const failed = (failure: Failure): GateReply => problem({ renderProblem }, failure);
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

async function serve(work: Work, failed: (failure: Failure) => GateReply): Promise<GateReply> {
  const refused = work.check();
  if (refused !== undefined) return failed(refused);
  const made = await work.produce();
  return made.ok ? uncached(made.value) : failed(made.error);
}
