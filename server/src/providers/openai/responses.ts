// Calls OpenAI and Azure by the Responses protocol.
import { asFields } from '@parley/schema/json';
import type OpenAI from 'openai';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import type { Delta } from '../../generation/delta.ts';
import { createPictureReader, keepPicture } from '../compatible/answer-pictures.ts';
import type { AnswerSources } from '../compatible/answer-sources.ts';
import { hasSignatures, refusesSignatures, withoutSignatures } from '../finished-calls.ts';
import type { ProviderCall } from '../provider.ts';
import { responseBody, withoutReasoningSummary } from './responses-body.ts';
import { createResponseReader, endsResponse } from './responses-deltas.ts';

/** Models that OpenAI refuses by chat completions: "only supported in v1/responses". */
const ONLY_RESPONSES = /^(?:o\d.*-pro|gpt-[5-9].*-(?:pro|codex)|codex-)/;

export function needsResponses(model: string): boolean {
  return ONLY_RESPONSES.test(model);
}

/** `model` is what the provider calls the model of this call: for Azure, its deployment. */
export async function* respond(
  client: OpenAI,
  endpointType: EndpointType,
  call: ProviderCall,
  { model, sources }: { model: string; sources: AnswerSources },
  signal: AbortSignal,
): AsyncGenerator<Delta> {
  const pictures = createPictureReader();
  const read = createResponseReader({ endpointType, model: call.model }, { sources, pictures });
  const stream = await begin(client, call, model, signal);
  for await (const event of stream) {
    for (const piece of read(event)) {
      const delta = piece.type === 'picture' ? await keepPicture(call, piece) : piece;
      if (delta) yield delta;
    }
    if (endsResponse(event)) return;
  }
}

/**
 * OpenAI refuses summaries of the model's reasoning to organizations that it has not verified. Their models think, too:
 * such a request is sent again without the wish. So is one whose encrypted reasoning it does not take back, without
 * them.
 */
async function begin(client: OpenAI, call: ProviderCall, model: string, signal: AbortSignal) {
  let asked = call;
  let isSummarized = true;
  for (;;) {
    const body = responseBody(asked, model);
    try {
      return await client.responses.create(isSummarized ? body : withoutReasoningSummary(body), { signal });
    } catch (error) {
      const { status, message, param } = asFields(error);
      if (hasSignatures(asked) && refusesSignatures(status, String(message))) asked = withoutSignatures(asked);
      else if (isSummarized && status === 400 && param === 'reasoning.summary') isSummarized = false;
      else throw error;
    }
  }
}
