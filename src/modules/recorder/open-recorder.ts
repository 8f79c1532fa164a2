import { join } from 'node:path';
import type { Host, OpenModule } from '../../host/module.ts';
import { DAY_MS, HOUR_MS } from '../../runtime/duration.ts';
import { ownCodec } from './codec.ts';
import type { Gap } from './record.ts';
import { Recorder } from './recorder.ts';
import { recorderMetrics } from './recorder-metrics.ts';
import { RecordingFolder } from './recording-folder.ts';
import { ownAddresses, Redaction } from './redaction.ts';
import { SegmentWriter } from './segment-writer.ts';
import { Selection } from './selection.ts';
import { SETTINGS } from './settings.ts';

const MB = 1_000_000;
const GB = 1000 * MB;

/** The time since the last record of an earlier run; undefined where there was none. */
function gapSince({ segments }: RecordingFolder, now: number): Gap | undefined {
  const last = segments.at(-1);
  if (last === undefined) return undefined;
  const reason = last.reason === 'recovered' ? 'killed' : 'stopped';
  return { reason, from: last.to, to: now, records: 0, bytes: 0 };
}

/** Opens the folder of recordings, and listens to the wire. */
export async function openRecorder(host: Host): Promise<OpenModule> {
  const { clock, logger, options, collector } = host;
  const given = host.settings(SETTINGS);
  const selection = new Selection(given.record ?? []);
  const folder = await RecordingFolder.open(given.recordDir ?? join(options.dataDir, 'recordings'));
  const retain = (): Promise<number> =>
    folder.retain({ after: clock.now() - given.recordDays * DAY_MS, maxBytes: given.recordGb * GB });
  await retain();
  const writer = new SegmentWriter({
    folder,
    codec: ownCodec,
    clock,
    segmentBytes: given.recordSegmentMb * MB,
    leaveBytes: given.recordMinFreeMb * MB,
    selection: selection.text,
    version: options.version,
  });
  const redaction = new Redaction(ownAddresses());
  const mono = (): number => performance.now();
  const recorder = new Recorder({ writer, selection, redaction, clock, mono, logger, retain });
  const unlisten = collector.wire.listen(recorder);
  recorder.start(gapSince(folder, clock.now()));
  const hourly = setInterval(() => void retain().catch(() => {}), HOUR_MS);
  hourly.unref();
  logger.info({ folder: folder.path, codec: ownCodec.name, what: selection.text }, 'recording');
  return {
    metrics: recorderMetrics(recorder, folder),
    stop: () => {
      unlisten();
      clearInterval(hourly);
      return recorder.stop();
    },
  };
}
