// Calls OpenAI and compatible providers through the official client: chat completions, completions for older models,
// and Responses where the target asks for them.
import type OpenAI from 'openai';
import type { ToolCall } from '@parley/schema/messages/messages';
import { Refusal } from '../../platform/errors.ts';
import type { Delta } from '../../generation/delta.ts';
import { boundedFetch } from '../bounded-body.ts';
import { reasonOfFailure } from '../failure.ts';
import { chatBody, completionBody } from './bodies.ts';
import { connect } from './client.ts';
import { chatDeltas, completionDeltas } from './deltas.ts';
import { completesOnly } from './older-models.ts';
import { respond } from './responses.ts';
import type { ProviderCall, ProviderTarget } from '../provider.ts';

export async function* streamOpenAI(call: ProviderCall, signal: AbortSignal): AsyncGenerator<Delta> {
  const { target } = call;
  const fetch = boundedFetch(target.fetch);
  try {
    if (isOlder(call)) yield* complete(await connect(target, fetch), call, signal);
    else if (!target.responses) yield* chat(await connect(target, fetch), call, signal);
    else yield* respond(await connect(responsesTarget(target), fetch), call, target.responses.model, signal);
  } catch (error) {
    throw new Refusal(reasonOfFailure(error, target.endpoint));
  }
}

/** They may be at another address, which takes no version. */
function responsesTarget({ query: _version, ...target }: ProviderTarget): ProviderTarget {
  return { ...target, baseURL: target.responses?.baseURL ?? target.baseURL };
}

function isOlder({ target, model }: ProviderCall): boolean {
  return target.forcePrompt === true || completesOnly(model);
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
