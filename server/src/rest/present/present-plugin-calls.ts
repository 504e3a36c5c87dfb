// Replies of the plugins endpoint as its clients read them: `:::plugin:::` in the text where a tool is called, and the
// calls in their order (docs/rest-compat.md, Plugins).
import { messageText, type Message, type MessagePart, type ToolCall } from '@parley/schema/messages/messages';
import type { PluginOfEdit } from '../shapes/exchange.ts';
import type { PluginCall } from '../shapes/message.ts';

const MARK = ':::plugin:::\n';

type CallHolder = Pick<Message, 'endpointType' | 'isCreatedByUser' | 'parts'>;

/** Whether the message is a reply of the plugins endpoint that called tools. */
export function hasPluginCalls({ endpointType, isCreatedByUser, parts }: CallHolder): boolean {
  return endpointType === 'gptPlugins' && !isCreatedByUser && parts.some(isCall);
}

/** The text with a mark at each call, and at its end the images that the model did not show itself. */
export function pluginText(message: Pick<Message, 'parts'>): string {
  const written = messageText(message);
  const text = message.parts.map(wordsOf).join('');
  const left = callImages(message.parts).filter((path) => !written.includes(path));
  return [text, ...left.map((path) => `![generated image](${path})`)].filter((one) => one !== '').join('\n');
}

function wordsOf(part: MessagePart): string {
  if (part.type === 'text') return part.text;
  return isCall(part) ? MARK : '';
}

/** One entry for each mark of the text. */
export function presentPluginCalls(parts: readonly MessagePart[]): PluginCall[] {
  return callsOf(parts).map((call) => ({
    runId: call.id,
    loading: isLoading(call),
    inputs: [call.input],
    latest: keyOf(call),
    outputs: call.output ?? '',
  }));
}

/** All calls as one entry, as edited answers have them. */
export function presentPluginOfEdit(parts: readonly MessagePart[]): PluginOfEdit {
  const calls = callsOf(parts);
  const last = calls.at(-1);
  return {
    loading: calls.some(isLoading),
    inputs: calls.map((call) => ({
      plugin: keyOf(call),
      input: call.input,
      thought: reasoningBefore(parts, call),
      inputStr: call.input,
    })),
    latest: last ? keyOf(last) : null,
    outputs: last?.output ?? '',
  };
}

/** The reasoning that directly precedes the call. */
function reasoningBefore(parts: readonly MessagePart[], call: ToolCall): string {
  const before = parts[parts.findIndex((part) => isCall(part) && part.call === call) - 1];
  return before?.type === 'reasoning' ? before.text.trim() : '';
}

function callsOf(parts: readonly MessagePart[]): ToolCall[] {
  return parts.flatMap((part) => (isCall(part) ? [part.call] : []));
}

function isCall(part: MessagePart): part is Extract<MessagePart, { type: 'tool_call' }> {
  return part.type === 'tool_call';
}

function isLoading({ output, state }: ToolCall): boolean {
  return state === undefined ? output === null : state === 'writing' || state === 'waiting' || state === 'running';
}

/** The key of the plugin, by which clients know its name. */
function keyOf({ from, name }: ToolCall): string {
  return from?.id ?? name;
}

function callImages(parts: readonly MessagePart[]): string[] {
  const outputs = callsOf(parts).flatMap((call) => call.outputs ?? []);
  return outputs.flatMap((made) => (made.type === 'image' ? [made.path] : []));
}
