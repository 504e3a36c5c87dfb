// Calls OpenAI and Azure by the Responses protocol.
import type OpenAI from 'openai';
import type { ResponseCreateParamsStreaming } from 'openai/resources/responses/responses';
import type { Delta } from '../../generation/delta.ts';
import type { ProviderCall } from '../provider.ts';
import { responseBody, withoutThoughtSummary } from './responses-body.ts';
import { createResponseReader, endsResponse } from './responses-deltas.ts';

/** Models that OpenAI refuses by chat completions: "only supported in v1/responses". */
const ONLY_RESPONSES = /^(?:o\d.*-pro|gpt-[5-9].*-(?:pro|codex)|codex-)/;

export function needsResponses(model: string): boolean {
  return ONLY_RESPONSES.test(model);
}

/** `model` is what the provider calls the model of this call: for Azure, its deployment. */
export async function* respond(
  client: OpenAI,
  call: ProviderCall,
  model: string,
  signal: AbortSignal,
): AsyncGenerator<Delta> {
  const read = createResponseReader();
  const stream = await begin(client, responseBody(call, model), signal);
  for await (const event of stream) {
    yield* read(event);
    if (endsResponse(event)) return;
  }
}

/**
 * OpenAI refuses summaries of the model's thoughts to organizations that it has not verified. Their models think, too:
 * such a request is sent again without the wish.
 */
async function begin(client: OpenAI, body: ResponseCreateParamsStreaming, signal: AbortSignal) {
  try {
    return await client.responses.create(body, { signal });
  } catch (error) {
    if (!refusesSummary(error)) throw error;
    return client.responses.create(withoutThoughtSummary(body), { signal });
  }
}

function refusesSummary(error: unknown): boolean {
  const { status, param } = Object(error) as { status?: unknown; param?: unknown };
  return status === 400 && param === 'reasoning.summary';
}
