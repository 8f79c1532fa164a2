import { isWire, readText, type Wire, wireArray } from '../../src/domain/read.ts';
import type { Dialect, ModelCall } from './dialect.ts';

function argumentsIn(text: unknown): Wire {
  try {
    const args: unknown = JSON.parse(readText(text) ?? '{}');
    return isWire(args) ? args : {};
  } catch {
    return {};
  }
}

const callsOf = (message: Wire): readonly ModelCall[] =>
  (wireArray(message.tool_calls) ?? []).filter(isWire).flatMap(({ id, function: called }) => {
    if (!isWire(called)) return [];
    return [
      { id: readText(id) ?? '', name: readText(called.name) ?? '', args: argumentsIn(called.arguments) },
    ];
  });

/** Chat completions, as OpenAI documents them and many servers of models take them. */
export const OPENAI: Dialect = {
  path: '/chat/completions',
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  body: ({ model, system, messages, tools }) => ({
    model,
    messages: [{ role: 'system', content: system }, ...messages],
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    })),
  }),
  turn: ({ choices }) => {
    const [choice] = (wireArray(choices) ?? []).filter(isWire);
    const message = choice?.message;
    if (!isWire(message)) return undefined;
    return { text: readText(message.content) ?? '', calls: callsOf(message), message };
  },
  results: (results) =>
    results.map(({ call, text }) => ({ role: 'tool', tool_call_id: call.id, content: text })),
};
