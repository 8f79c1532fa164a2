import Type from 'typebox';
import { eventText } from '../../api/http/event-sink.ts';
import type { Services } from '../../api/route.ts';
import { ok } from '../../domain/errors.ts';
import { defineProduct } from '../../products/define-product.ts';
import { snapshotData } from './change-log.ts';
import { previewStreamRows } from './stream-rows.ts';

const EVENTS = 'text/event-stream; charset=utf-8';

export const streamPreview = defineProduct({
  id: 'stream-preview',
  path: '/v1/stream/preview',
  access: 'free',
  summary: 'Live stream of the preview',
  description:
    'The rows of the free preview as server-sent events: a snapshot, then numbered changes; Last-Event-ID resumes. As late and rounded as the preview. A slow reader gets several changes as one (conflated). Without Accept: text/event-stream the answer is one snapshot and ends.',
  tags: ['preview'],
  dependsOn: 'second',
  revisedAt: '2026-11-22T15:00:00.000Z',
  contentType: 'text/event-stream',
  isStream: true,
  answer: Type.String(),
  compute: (_, services: Services) => {
    const texts = [...previewStreamRows(services)].map(({ text }) => text());
    const body = eventText('snapshot', snapshotData('start', texts));
    return ok({ content: { bytes: Buffer.from(body), contentType: EVENTS } });
  },
});
