import type { MetricRow } from '../../host/metrics/metric-set.ts';
import type { Recorder } from './recorder.ts';
import type { RecordingFolder } from './recording-folder.ts';

/** Work of the recorder since the start of the process, and what lies in its folder. */
export function recorderMetrics(
  recorder: Pick<Recorder, 'counts' | 'pausedBy'>,
  folder: Pick<RecordingFolder, 'bytes' | 'segments'>,
): readonly MetricRow[] {
  return [
    {
      name: 'perpmeter_recorder_messages_total',
      help: 'Records that were taken: frames, answers, connections that were made and lost.',
      read: (add) => add({}, recorder.counts.messages),
    },
    {
      name: 'perpmeter_recorder_bytes_total',
      help: 'Bytes that were taken (raw), and bytes that were written for them (stored).',
      labels: ['form'],
      read: (add) => {
        const { rawBytes, storedBytes } = recorder.counts;
        add({ form: 'raw' }, rawBytes);
        add({ form: 'stored' }, storedBytes);
      },
    },
    {
      name: 'perpmeter_recorder_dropped_total',
      help: 'Records that are missing, since recording was paused or a block could not be written.',
      read: (add) => add({}, recorder.counts.dropped),
    },
    {
      name: 'perpmeter_recorder_gaps_total',
      help: 'Gaps that were written, by reason.',
      labels: ['reason'],
      read: (add) => {
        for (const [reason, count] of Object.entries(recorder.counts.gaps)) add({ reason }, count);
      },
    },
    {
      name: 'perpmeter_recorder_paused',
      help: '1 while nothing is recorded, since the disk is full, cannot be written, or is too slow.',
      read: (set) => set({}, recorder.pausedBy === undefined ? 0 : 1),
    },
    {
      name: 'perpmeter_recorder_segments',
      help: 'Closed segments that are kept.',
      read: (set) => set({}, folder.segments.length),
    },
    {
      name: 'perpmeter_recorder_kept_bytes',
      help: 'Size of the closed segments that are kept.',
      read: (set) => set({}, folder.bytes),
    },
  ];
}
