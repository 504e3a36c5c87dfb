// Builds requests for Vertex's PaLM and Codey models: fields as typed values, for streaming predictions.
import { endpointParams, withDefaults } from '@parley/schema/catalog/endpoints';
import type { Example } from '@parley/schema/catalog/params';
import { withContinuePrompt, isContinuation } from '../continue-prompt.ts';
import type { ProviderCall } from '../provider.ts';
import { refuse } from '../../platform/errors.ts';
import type { Delta } from '../../generation/delta.ts';
import { readFailure } from '../compatible/read-failure.ts';
import { reasonOfStatus } from '../status.ts';

export function palmBody(call: ProviderCall): object {
  const { model, settings, maxTokens } = call;
  const { temperature, topP, topK, maxOutputTokens } = withDefaults(endpointParams('google', model), settings);
  const common = { temperature: Number(temperature), maxOutputTokens: maxTokens ?? Number(maxOutputTokens) };
  const parameters = isForCode(model) ? common : { ...common, topP: Number(topP), topK: Number(topK) };
  return { inputs: [tensor(instanceOf(call))], parameters: tensor(parameters) };
}

function isForCode(model: string): boolean {
  return model.startsWith('code');
}

/** Chat models take a conversation; text models a prompt, which code models call a prefix. */
function instanceOf(call: ProviderCall): object {
  if (/^(?:chat|codechat)-/.test(call.model)) return conversationOf(call);
  const prompt = transcriptOf(call);
  return isForCode(call.model) ? { prefix: prompt } : { prompt };
}

function conversationOf({ model, messages, settings }: ProviderCall): object {
  const context = contextOf(settings.promptPrefix);
  const examples = isForCode(model) ? [] : completeExamples(settings.examples);
  return {
    ...(context !== '' && { context }),
    ...(examples.length > 0 && { examples }),
    messages: withContinuePrompt(messages).map(({ role, content }) => ({
      author: role === 'user' ? 'user' : 'bot',
      content,
    })),
  };
}

/** Drops examples that lack a side. */
function completeExamples(examples: unknown): Example[] {
  const given = Array.isArray(examples) ? (examples as Example[]) : [];
  return given.filter(({ input, output }) => input.content.trim() !== '' && output.content.trim() !== '');
}

function transcriptOf({ messages, settings }: ProviderCall): string {
  const context = contextOf(settings.promptPrefix);
  const only = messages.length === 1 ? messages[0]?.content : undefined;
  const response = isContinuation(messages) ? [] : ['Assistant:'];
  const turns =
    only === undefined
      ? [...messages.map(({ role, content }) => `${role === 'user' ? 'User' : 'Assistant'}: ${content}`), ...response]
      : [only];
  return [...(context === '' ? [] : [context]), ...turns].join('\n\n');
}

function contextOf(prefix: unknown): string {
  return typeof prefix === 'string' ? prefix.trim() : '';
}

const FRACTIONAL = new Set(['temperature', 'topP']);

/** JSON as Vertex' Tensor: each value names its type. */
function tensor(value: unknown, name = ''): object {
  if (typeof value === 'string') return { stringVal: [value] };
  if (typeof value === 'number') return FRACTIONAL.has(name) ? { floatVal: [value] } : { intVal: [value] };
  if (Array.isArray(value)) return { listVal: value.map((item) => tensor(item)) };
  const entries = Object.entries(value ?? {}).map(([key, item]) => [key, tensor(item, key)]);
  return { structVal: Object.fromEntries(entries) };
}

/** One piece of a streaming prediction; any field may be missing. */
export interface LoosePrediction {
  outputs?: Tensor[] | null;
  error?: { code?: number };
}

interface Tensor {
  structVal?: Record<string, Tensor> | null;
  listVal?: Tensor[] | null;
  stringVal?: string[] | null;
  boolVal?: boolean[] | null;
}

/** Text models put the text at the top, chat models in the first candidate. */
export function* palmDeltas(chunk: LoosePrediction, endpoint: string): Generator<Delta> {
  if (chunk.error) refuse(reasonOfStatus({ status: chunk.error.code ?? 500, ...readFailure({ ...chunk }) }, endpoint));
  for (const { structVal: fields } of chunk.outputs ?? []) {
    const [candidate] = fields?.candidates?.listVal ?? [];
    const text = (fields?.content ?? candidate?.structVal?.content)?.stringVal?.join('') ?? '';
    if (text !== '') yield { type: 'text', text };
    if (isBlocked(fields?.safetyAttributes)) yield { type: 'finish', reason: 'content_filter' };
  }
}

/** One safety result for a text, a list of them for candidates. */
function isBlocked(safety: Tensor | undefined): boolean {
  const first = safety?.listVal?.[0] ?? safety;
  return first?.structVal?.blocked?.boolVal?.[0] === true;
}
