// OpenAI itself and everything that speaks its wire, through the official client: chat completions, and the completions
// of older models.
import type OpenAI from 'openai';
import type { ToolCall } from '@parley/schema/messages';
import { Refusal } from '../errors.ts';
import type { Delta } from '../generation/delta.ts';
import { reasonOfFailure } from './failure.ts';
import { chatBody, completionBody } from './openai/bodies.ts';
import { chatDeltas, completionDeltas } from './openai/deltas.ts';
import { completesOnly } from './openai/older-models.ts';
import type { ProviderCall, Upstream } from './provider.ts';

export async function* openAI(call: ProviderCall, signal: AbortSignal): AsyncGenerator<Delta> {
  const client = await connect(call.upstream);
  try {
    yield* isOlder(call) ? complete(client, call, signal) : chat(client, call, signal);
  } catch (error) {
    throw new Refusal(reasonOfFailure(error, call.upstream.endpoint));
  }
}

async function connect({ baseURL, apiKey, organization, headers, query, fetch }: Upstream): Promise<OpenAI> {
  const { default: OpenAI } = await import('openai');
  return new OpenAI({
    baseURL,
    apiKey,
    organization: organization ?? null,
    project: null,
    defaultHeaders: headers,
    defaultQuery: query,
    fetch,
    // A failed send is shown with its reason and a retry at once rather than after a silent half minute.
    maxRetries: 0,
    // What fails is logged by us, without what was said.
    logLevel: 'off',
  });
}

function isOlder({ upstream, model }: ProviderCall): boolean {
  return upstream.forcePrompt === true || completesOnly(model);
}

async function* chat(client: OpenAI, call: ProviderCall, signal: AbortSignal): AsyncGenerator<Delta> {
  const tools = new Map<number, ToolCall>();
  const stream = await client.chat.completions.create(chatBody(call), { signal });
  for await (const chunk of stream) yield* chatDeltas(chunk, tools);
}

async function* complete(client: OpenAI, call: ProviderCall, signal: AbortSignal): AsyncGenerator<Delta> {
  const stream = await client.completions.create(completionBody(call), { signal });
  for await (const chunk of stream) yield* completionDeltas(chunk);
}
