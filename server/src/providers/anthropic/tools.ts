// Tools by Anthropic: what is offered, and calls of earlier steps.
import { callArguments, hasCalls, objectsIn } from '../finished-calls.ts';
import type { ToolChoice } from '../answers/answer-format.ts';
import type { ChatImage, ChatMessage, FinishedCall, ProviderCall } from '../provider.ts';

export interface Turn {
  role: 'user' | 'assistant';
  content: string | object[];
}

/**
 * A history with calls is refused without tools: where none are offered, their names are, and the model may not call.
 */
export function toolParams({ tools = [], toolChoice, parallelCalls, messages }: ProviderCall): {
  tools?: object[];
  tool_choice?: object;
} {
  const offered = tools.length > 0 ? tools.map(toolOf) : namesIn(messages).map((name) => toolOf({ name }));
  if (offered.length === 0) return {};
  const choice = tools.length > 0 ? choiceOnWire(toolChoice, parallelCalls) : { type: 'none' };
  return { tools: offered, ...(choice && { tool_choice: choice }) };
}

function choiceOnWire(choice: ToolChoice | undefined, parallelCalls: boolean | undefined): object | undefined {
  if (choice === 'none') return { type: 'none' };
  const single = parallelCalls === false && { disable_parallel_tool_use: true };
  if (typeof choice === 'object') return { type: 'tool', name: choice.name, ...single };
  if (choice === 'required') return { type: 'any', ...single };
  return choice || single ? { type: 'auto', ...single } : undefined;
}

function toolOf({ name, description = '', parameters = { type: 'object' } }: Partial<ToolSpec> & { name: string }) {
  return { name, description, input_schema: parameters };
}

type ToolSpec = NonNullable<ProviderCall['tools']>[number];

function namesIn(messages: readonly ChatMessage[]): string[] {
  return [...new Set(messages.flatMap(({ calls = [] }) => calls.map(({ name }) => name)))];
}

/**
 * An answer with calls is a turn of the model's and one of the user's: signed reasoning stands first, and the results of
 * a step stand together, before anything else.
 */
export function stepTurns({ content, calls = [], signatures = [] }: ChatMessage): Turn[] {
  const said = content.trim() === '' ? [] : [{ type: 'text', text: content }];
  const asked = calls.map((call) => ({ type: 'tool_use', id: call.id, name: call.name, input: callArguments(call) }));
  return [
    { role: 'assistant', content: [...signatures.flatMap(reasoningIn), ...said, ...asked] },
    { role: 'user', content: calls.map(resultOf) },
  ];
}

function reasoningIn(signature: string): object[] {
  return objectsIn(signature).filter(({ type }) => type === 'thinking' || type === 'redacted_thinking');
}

function resultOf({ id, output, isError, images = [] }: FinishedCall): object {
  const text = output === '' ? [] : [{ type: 'text', text: output }];
  return {
    type: 'tool_result',
    tool_use_id: id,
    content: images.length === 0 ? output : [...text, ...images.map(anthropicImage)],
    ...(isError && { is_error: true }),
  };
}

export function anthropicImage({ mime, data }: ChatImage): object {
  return { type: 'image', source: { type: 'base64', media_type: mime, data } };
}

/** Puts turns of one role together, as lists of blocks. */
export function joinTurns(turns: readonly Turn[]): Turn[] {
  const joined: Turn[] = [];
  for (const turn of turns) {
    const last = joined.at(-1);
    if (last?.role === turn.role) last.content = [...blocksOf(last), ...blocksOf(turn)];
    else joined.push({ ...turn });
  }
  return joined;
}

function blocksOf({ content }: Turn): object[] {
  if (typeof content !== 'string') return content;
  return content.trim() === '' ? [] : [{ type: 'text', text: content }];
}

/**
 * Whether the model may not think with a budget: the last turn is a step, and its reasoning is not there. Models that
 * think as long as they like accept that.
 */
export function lacksReasoning(messages: readonly ChatMessage[]): boolean {
  const last = messages.at(-1);
  return last !== undefined && hasCalls(last) && (last.signatures ?? []).length === 0;
}
