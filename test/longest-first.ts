import { BaseSequencer } from 'vitest/node';

type Files = Parameters<BaseSequencer['sort']>[0];

/** What waits for processes and leases: begun last, it would leave one of two cores with nothing to do. */
const LONGEST =
  /test\/(soak|feed)\/(cluster|hosts|mcp|nats|pay-kill)|test\/cli\/(demo-claim|extra-venues|live)\.|test\/mcp\/http/;

/** Vitest's order, which is by size where no run is remembered, but for what is known to be long. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: Files): Promise<Files> {
    const sorted = await super.sort(files);
    const isLong = ({ project, moduleId }: Files[number]): boolean =>
      project.name === 'together' && LONGEST.test(moduleId);
    const isAlone = ({ project }: Files[number]): boolean => project.name !== 'together';
    const others = sorted.filter((one) => !isAlone(one) && !isLong(one));
    return [...sorted.filter(isAlone), ...sorted.filter(isLong), ...others];
  }
}
