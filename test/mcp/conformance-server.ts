/**
 * A service over the example market whose `/mcp` has the conformance suite's fixtures mounted beside its own tools. Says
 * its address in the first line, in JSON; ends with the process that started it.
 */
import { systemClock } from '../../src/domain/clock.ts';
import { createEndpoint } from '../../src/modules/mcp/endpoint.ts';
import { McpServers } from '../../src/modules/mcp/server.ts';
import { createExampleApi } from '../api/example-api.ts';
import { mountFixtures } from './conformance-fixtures.ts';
import { exampleBackend } from './mcp-service.ts';

let asked = 0;
const { api, start } = createExampleApi({
  mounts: [
    {
      tools: [],
      connect: (call) => {
        const backend = { ...exampleBackend, call };
        const servers = new McpServers(backend);
        const answer = createEndpoint({
          backend,
          clock: systemClock,
          // One address each: the suite asks faster than one client may.
          addressOf: () => `client-${asked++}`,
          report: (error) => console.error(error),
          servers: { create: (exchange) => mountFixtures(servers.create(exchange)) },
        });
        return (request, response) => {
          if (request.url !== '/mcp') return false;
          void answer(request, response);
          return true;
        };
      },
    },
  ],
});
process.stdout.write(`${JSON.stringify({ url: await start() })}\n`);
process.on('disconnect', () => void api.close());
