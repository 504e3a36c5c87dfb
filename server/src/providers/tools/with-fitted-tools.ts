// A provider that gets its tools as its protocol takes them, and tells their calls by the real names.
import type { ToolCall } from '@parley/schema/messages/messages';
import type { Delta } from '../../generation/delta.ts';
import type { Provider, ProviderCall } from '../provider.ts';
import type { ToolDialect } from './dialects.ts';
import { fitTools, type FittedTools } from './fit-tools.ts';

export function withFittedTools(provider: Provider, dialect: ToolDialect): Provider {
  return (call, signal) => {
    if (!call.tools?.length && call.messages.every(({ calls }) => !calls)) return provider(call, signal);
    const tools = fitTools(call.tools ?? [], dialect);
    const deltas = provider(fittedCall(call, tools), signal);
    return tools.isRenamed ? withRealNames(deltas, tools) : deltas;
  };
}

function fittedCall(call: ProviderCall, tools: FittedTools): ProviderCall {
  const messages = call.messages.map((message) =>
    message.calls ? { ...message, calls: message.calls.map(tools.toWire) } : message,
  );
  const { toolChoice } = call;
  return {
    ...call,
    messages,
    ...(call.tools && { tools: tools.specs }),
    ...(typeof toolChoice === 'object' && { toolChoice: { name: tools.nameToWire(toolChoice.name) } }),
  };
}

/** Arguments with other names are held back until they are whole: only then can they be told by the real ones. */
async function* withRealNames(deltas: AsyncIterable<Delta>, tools: FittedTools): AsyncGenerator<Delta> {
  const held = new Map<string, ToolCall>();
  for await (const delta of deltas) {
    if (delta.type === 'tool') yield* begin({ ...delta.call, name: tools.nameFromWire(delta.call.name) });
    else if (delta.type === 'input' && held.has(delta.id)) extend(delta.id, delta.text);
    else {
      if (delta.type === 'finish') yield* release();
      yield delta;
    }
  }
  yield* release();

  function* begin(call: ToolCall): Generator<Delta> {
    if (!tools.isTranslated(call.name)) return yield { type: 'tool', call };
    held.set(call.id, call);
    yield { type: 'tool', call: { ...call, input: '' } };
  }

  function extend(id: string, text: string): void {
    const call = held.get(id);
    if (call) held.set(id, { ...call, input: call.input + text });
  }

  function* release(): Generator<Delta> {
    for (const call of held.values())
      yield { type: 'tool', call: { ...call, input: tools.inputFromWire(call.name, call.input) } };
    held.clear();
  }
}
