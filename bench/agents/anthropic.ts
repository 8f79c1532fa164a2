import { isWire, readText, wireArray } from '../../src/domain/read.ts';
import type { Dialect } from './dialect.ts';

const VERSION = '2023-06-01';
const MOST_WRITTEN = 2000;

/** Messages, as Anthropic documents them. */
export const ANTHROPIC: Dialect = {
  path: '/messages',
  headers: (key) => ({ 'x-api-key': key, 'anthropic-version': VERSION }),
  body: ({ model, system, messages, tools }) => ({
    model,
    system,
    max_tokens: MOST_WRITTEN,
    messages,
    tools: tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: inputSchema,
    })),
  }),
  turn: ({ content }) => {
    const blocks = wireArray(content)?.filter(isWire);
    if (blocks === undefined) return undefined;
    const calls = blocks
      .filter(({ type }) => type === 'tool_use')
      .map(({ id, name, input }) => ({
        id: readText(id) ?? '',
        name: readText(name) ?? '',
        args: isWire(input) ? input : {},
      }));
    const text = blocks.map(({ text: said }) => readText(said) ?? '').join('');
    return { text, calls, message: { role: 'assistant', content: blocks } };
  },
  results: (results) => [
    {
      role: 'user',
      content: results.map(({ call, text, isError }) => ({
        type: 'tool_result',
        tool_use_id: call.id,
        content: text,
        is_error: isError,
      })),
    },
  ],
};
