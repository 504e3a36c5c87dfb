// Tool calls of earlier steps, as every protocol gives them back.
import { isObject, parseJson } from '@parley/schema/json';
import type { ToolCall } from '@parley/schema/messages/messages';
import type { Delta } from '../generation/delta.ts';
import type { ChatMessage, FinishedCall, ProviderCall } from './provider.ts';

/** Whether the model may call tools in this answer, or was shown calls of earlier ones. */
export function knowsTools({ tools = [], messages }: Pick<ProviderCall, 'tools' | 'messages'>): boolean {
  return tools.length > 0 || messages.some(hasCalls);
}

export function hasCalls({ calls = [] }: Pick<ChatMessage, 'calls'>): boolean {
  return calls.length > 0;
}

/**
 * Before which message instructions are followed best: the last one, or the question that the last steps belong to.
 * Nothing may stand between calls and their results.
 */
export function instructionsIndex(messages: readonly ChatMessage[]): number {
  const last = messages.length - 1;
  const question = messages.findLastIndex(({ role }) => role === 'user');
  return messages[last] && hasCalls(messages[last]) ? Math.max(question, 0) : last;
}

/**
 * Gives the calls of a request ids that every protocol accepts: nine letters and digits, each of them once. Ours are
 * unique in their message only.
 */
export function withWireIds(messages: readonly ChatMessage[]): ChatMessage[] {
  let count = 0;
  const numbered = (call: FinishedCall) => ({ ...call, id: `call${String(++count).padStart(5, '0')}` });
  return messages.map((message) => ({
    ...message,
    ...(message.calls && { calls: message.calls.map(numbered) }),
  }));
}

/** The arguments as an object; an empty one for arguments that are none. */
export function callArguments({ input }: Pick<FinishedCall, 'input'>): Record<string, unknown> {
  const value = parseJson(input);
  return isObject(value) ? value : {};
}

/** The delta that begins a call. */
export function callBegun(id: string, name: string, input = ''): Extract<Delta, { type: 'tool' }> {
  const call: ToolCall = { id, kind: 'function', name, input, output: null, progress: 0.1, state: 'writing' };
  return { type: 'tool', call };
}

/** Whether the request gives back anything that the provider signed. */
export function hasSignatures({ messages }: Pick<ProviderCall, 'messages'>): boolean {
  return messages.some(
    ({ signatures = [], calls = [] }) =>
      signatures.length > 0 || calls.some(({ signature }) => signature !== undefined),
  );
}

export function withoutSignatures(call: ProviderCall): ProviderCall {
  const messages = call.messages.map(({ signatures: _signatures, calls, ...message }) => ({
    ...message,
    ...(calls && { calls: calls.map(({ signature: _signature, ...bare }) => bare) }),
  }));
  return { ...call, messages };
}

/** The objects in a signature. It was stored, and may come from an import: what is no JSON of objects is left out. */
export function objectsIn(signature: string): Record<string, unknown>[] {
  return [parseJson(signature)].flat().filter(isObject);
}

/** The words with which providers refuse what they signed for another model or at another address. */
const NAMES_SIGNATURE =
  /signature|encrypted.?content|required following item|reasoning_(?:content|details)|thinking. block|content and thinking/i;

/** Whether a provider refused a request for the signatures in it. */
export function refusesSignatures(status: unknown, message: string): boolean {
  return (status === 400 || status === 422) && NAMES_SIGNATURE.test(message);
}
