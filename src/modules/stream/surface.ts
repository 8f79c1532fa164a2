import type { RequestHandler } from '../../api/http/http-server.ts';
import { sendProblem } from '../../api/http/reply.ts';
import type { OpenModule } from '../../host/module.ts';
import { readerMetrics } from './reader-metrics.ts';
import type { RowStream } from './row-stream.ts';
import { streamPreview } from './stream-preview.ts';
import type { RowStreams } from './stream-rows.ts';

const TABLE_STREAM = '/v1/stream/rows';
/** Readers of the operator's port are not told apart by address. */
const OPERATOR = 'operator';

/** The preview's stream on every port, that of the table on the operator's, and their counts; at its end readers learn to come back. */
export function surfaceOf({ preview, table }: RowStreams) {
  return {
    streams: new Map([[streamPreview.id, preview]]),
    operatorHandlers: [tableHandler(table)],
    metrics: readerMetrics({ preview: preview.counts, table: table.counts }),
    stop: () => {
      preview.close();
      table.close();
    },
  } satisfies OpenModule;
}

/** Every row and its changes: on the operator's port alone. */
const tableHandler =
  (table: RowStream): RequestHandler =>
  (request, response) => {
    if (request.method !== 'GET' || request.url !== TABLE_STREAM) return false;
    const refusal = table.open(request, response, OPERATOR);
    if (refusal !== undefined) sendProblem(response, refusal);
    return true;
  };
