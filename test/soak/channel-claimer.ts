/**
 * A process that claims channels without a pause. Its argument is the payment configuration as environment variables, in
 * JSON; its first line says that it has begun.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../src/domain/clock.ts';
import { asMs } from '../../src/domain/units.ts';
import { openChannelWatch } from './channel-ledger.ts';

const environment = JSON.parse(process.argv[2] ?? '{}') as Record<string, string>;
const { watch } = await openChannelWatch(environment, { now: () => asMs(systemClock.now()) });
process.once('disconnect', () => process.exit(0));
process.stdout.write(`${JSON.stringify({ begun: true })}\n`);
for (;;) {
  await watch.look().catch((cause: unknown) => process.stderr.write(`claimer: ${String(cause)}\n`));
  await wait(100);
}
