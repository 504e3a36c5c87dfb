// An answer of a given shape from a model whose protocol has no way to ask for one: it is offered a tool that takes such
// an answer, must call a tool, and what it gives to this one is its text.
import type { Delta } from '../../generation/delta.ts';
import type { Provider, ProviderCall } from '../provider.ts';
import type { ToolSpec } from '../tool-spec.ts';
import { forcesCall, mayCall, type AnswerFormat } from './answer-format.ts';

/** `native`: the protocol asks for it. `tool`: a tool takes the answer. `told`: the instructions ask for it. */
export type FormatWay = 'native' | 'tool' | 'told';

/** A provider that gives answers of a shape. `wayOf` is asked only about calls with a format. */
export function withAnswerTool(provider: Provider, wayOf: (call: ProviderCall) => FormatWay): Provider {
  return (call, signal) => {
    const { format, ...plain } = call;
    if (!format) return provider(call, signal);
    // The answer is a call, which has a shape of its own.
    if (forcesCall(call)) return provider(plain, signal);
    switch (wayOf(call)) {
      case 'native':
        return provider(call, signal);
      case 'told':
        return provider(toldCall(plain, format), signal);
      case 'tool': {
        const tool = answerTool(plain, format);
        return toolAsText(provider(callWith(plain, tool), signal), tool.name);
      }
    }
  };
}

const NAME = 'answer';

function answerTool({ tools = [] }: ProviderCall, { schema, description = '' }: AnswerFormat): ToolSpec {
  const taken = new Set(tools.map(({ name }) => name));
  let name = NAME;
  for (let n = 2; taken.has(name); n++) name = `${NAME}_${n}`;
  return {
    name,
    description: `Takes your answer as a JSON object. Answer by calling it. ${description}`.trim(),
    parameters: schema ?? { type: 'object', properties: {}, additionalProperties: true },
  };
}

function callWith(call: ProviderCall, tool: ToolSpec): ProviderCall {
  if (!mayCall(call)) return { ...call, tools: [tool], toolChoice: { name: tool.name } };
  return { ...call, tools: [...(call.tools ?? []), tool], toolChoice: 'required' };
}

function toldCall(call: ProviderCall, { schema }: AnswerFormat): ProviderCall {
  const wish = `Answer with one JSON object alone, without a code fence and without any other word.${
    schema ? ` It must be valid by this JSON schema:\n${JSON.stringify(schema)}` : ''
  }`;
  const { promptPrefix } = call.settings;
  const told = typeof promptPrefix === 'string' && promptPrefix.trim() !== '' ? `${promptPrefix}\n\n${wish}` : wish;
  return { ...call, settings: { ...call.settings, promptPrefix: told } };
}

/** Words beside the call are dropped; they are the answer where there is no call at all. */
async function* toolAsText(deltas: AsyncIterable<Delta>, name: string): AsyncGenerator<Delta> {
  let answerId: string | null = null;
  let others = 0;
  let words = '';
  for await (const delta of deltas) {
    if (delta.type === 'text') words += delta.text;
    else if (delta.type === 'tool' && delta.call.name === name) {
      if (answerId === null && delta.call.input !== '') yield { type: 'text', text: delta.call.input };
      answerId ??= delta.call.id;
    } else if (delta.type === 'input' && delta.id === answerId) yield { type: 'text', text: delta.text };
    else if (delta.type === 'signature' && delta.id !== undefined && delta.id === answerId) continue;
    else if (delta.type === 'finish') yield* finish(delta);
    else {
      if (delta.type === 'tool') others += 1;
      yield delta;
    }
  }

  function* finish(delta: Extract<Delta, { type: 'finish' }>): Generator<Delta> {
    if (answerId === null && words !== '') yield { type: 'text', text: words };
    yield delta.reason === 'tool_calls' && others === 0 ? { type: 'finish', reason: 'stop' } : delta;
  }
}
