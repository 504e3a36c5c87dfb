// A call that a model must make, and cannot be made to: it is asked for an answer that has the shape of the call instead.
import type { ToolCall } from '@parley/schema/messages/messages';
import { asFields, isObject, parseJson } from '@parley/schema/json';
import type { Delta } from '../../generation/delta.ts';
import { callBegun } from '../finished-calls.ts';
import type { Provider, ProviderCall } from '../provider.ts';
import type { ToolSpec } from '../tool-spec.ts';
import { forcesCall } from './answer-format.ts';

/** `takes`: whether the model can be made to call a tool. What it returns is given to `provider` with a format. */
export function withForcedCalls(provider: Provider, takes: (model: string) => boolean): Provider {
  return (call, signal) => {
    if (!forcesCall(call) || takes(call.model)) return provider(call, signal);
    const { toolChoice, tools: offered = [], ...rest } = call;
    const tools = typeof toolChoice === 'object' ? offered.filter(({ name }) => name === toolChoice.name) : offered;
    const [only, ...others] = tools;
    const isOne = only !== undefined && others.length === 0;
    const schema = isOne ? only.parameters : oneOf(tools);
    const asked = { ...rest, settings: told(rest, tools), format: { schema, name: 'call' } };
    return textAsCall(provider(asked, signal), isOne ? only.name : null);
  };
}

function oneOf(tools: readonly ToolSpec[]): Record<string, unknown> {
  const forms = tools.map(({ name, parameters }) => ({
    type: 'object',
    properties: { name: { type: 'string', enum: [name] }, arguments: parameters },
    required: ['name', 'arguments'],
  }));
  return { type: 'object', properties: { call: { anyOf: forms } }, required: ['call'] };
}

function told({ settings }: Pick<ProviderCall, 'settings'>, tools: readonly ToolSpec[]) {
  const lines = tools.map(({ name, description }) => `- ${name}: ${description}`);
  const wish = `Your answer is a call of one of these tools, as JSON of its arguments:\n${lines.join('\n')}`;
  const { promptPrefix } = settings;
  const before = typeof promptPrefix === 'string' && promptPrefix.trim() !== '' ? [promptPrefix] : [];
  return { ...settings, promptPrefix: [...before, wish].join('\n\n') };
}

/** The text as a call of this tool; with null as the call that the text describes, once it is whole. */
async function* textAsCall(deltas: AsyncIterable<Delta>, name: string | null): AsyncGenerator<Delta> {
  const id = 'call-0';
  let text = '';
  for await (const delta of deltas) {
    if (delta.type === 'text') {
      if (name !== null) yield text === '' ? callBegun(id, name, delta.text) : { type: 'input', id, text: delta.text };
      text += delta.text;
    } else if (delta.type === 'finish') {
      const described = name === null ? describedCall(id, text) : null;
      if (described) yield described;
      yield delta.reason === 'stop' && text !== '' ? { type: 'finish', reason: 'tool_calls' } : delta;
    } else yield delta;
  }
}

function describedCall(id: string, text: string): { type: 'tool'; call: ToolCall } | null {
  const { call } = asFields(parseJson(text));
  if (!isObject(call) || typeof call.name !== 'string') return null;
  return callBegun(id, call.name, JSON.stringify(call.arguments ?? {}));
}
