import { openRowStreams, type RowStreams } from '../../src/modules/stream/stream-rows.ts';
import { surfaceOf } from '../../src/modules/stream/surface.ts';
import { createExampleApi, type ExampleApi } from './example-api.ts';

export interface StreamApi extends ExampleApi {
  readonly streams: RowStreams;
  /** Ends the module, then the API, as the service does. */
  readonly close: () => Promise<void>;
}

/** The example's HTTP surface with its streams. */
export function createStreamApi(options: Parameters<typeof createExampleApi>[0] = {}): StreamApi {
  const opened: RowStreams[] = [];
  const example = createExampleApi({
    ...options,
    over: (ports) => {
      const beside = options.over?.(ports) ?? {};
      const own = openRowStreams(ports);
      opened.push(own);
      const { streams, operatorHandlers } = surfaceOf(own);
      return {
        ...beside,
        streams: new Map([...streams, ...(beside.streams ?? [])]),
        operatorHandlers: [...operatorHandlers, ...(beside.operatorHandlers ?? [])],
      };
    },
  });
  const [streams] = opened;
  if (streams === undefined) throw new Error('no streams were opened');
  const close = async (): Promise<void> => {
    surfaceOf(streams).stop();
    await example.api.close();
  };
  return { ...example, streams, close };
}
