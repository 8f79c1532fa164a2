import { sendProblem } from '../../api/http/reply.ts';
import { clientAddress } from '../../api/request/address.ts';
import type { Mount } from '../../api/server.ts';
import type { Clock } from '../../domain/clock.ts';
import { MCP_PATH } from '../../pay/discovery.ts';
import type { McpBackend } from './backend.ts';
import { toolListings } from './tools.ts';

export interface McpOptions {
  readonly backend: Omit<McpBackend, 'call'>;
  readonly clock: Clock;
  readonly report: (fault: { readonly at: string; readonly error: unknown }) => void;
}

/** The routes as tools at `/mcp`, for the HTTP surface. The protocol itself is loaded when it is first asked for. */
export function createMcpMount({ backend, clock, report }: McpOptions): Mount {
  return {
    tools: toolListings(backend),
    connect: (call, trust) => {
      let loading: Promise<ReturnType<typeof import('./endpoint.ts')['createEndpoint']>> | undefined;
      const load = async () => {
        const { createEndpoint } = await import('./endpoint.ts');
        return createEndpoint({
          backend: { ...backend, call },
          clock,
          addressOf: ({ socket, headers }) =>
            clientAddress(socket.remoteAddress, headers['x-forwarded-for']?.toString(), trust),
          report: (error) => report({ at: 'mcp', error }),
        });
      };
      return (request, response) => {
        if (request.url?.split('?', 1)[0] !== MCP_PATH) return false;
        loading ??= load();
        loading
          .then((answer) => answer(request, response))
          .catch((error) => {
            report({ at: 'mcp', error });
            if (response.headersSent) response.destroy();
            else sendProblem(response, { code: 'internal', detail: 'The message could not be answered.' });
          });
        return true;
      };
    },
  };
}
