// Calls OpenAI and Azure by the Responses protocol.
import { asFields } from '@parley/schema/json';
import type OpenAI from 'openai';
import { type EndpointType, endpointParams } from '@parley/schema/catalog/endpoints';
import type { Delta } from '../../generation/delta.ts';
import { createPictureReader, keepPicture } from '../compatible/answer-pictures.ts';
import type { AnswerSources } from '../compatible/answer-sources.ts';
import {
  hasSignatures,
  refusesSignatures,
  withoutSignatures,
  hasCalls,
  instructionsIndex,
  withWireIds,
} from '../finished-calls.ts';
import type { ProviderCall, ChatMessage } from '../provider.ts';
import { createResponseReader, endsResponse } from './responses-deltas.ts';
import type { ResponseCreateParamsStreaming } from 'openai/resources/responses/responses';
import { withContinuePrompt } from '../continue-prompt.ts';
import { formatParams, responsesImage, stepItems, toolParams } from './responses-tools.ts';
import { acceptedParams, reasoningTokens } from './bodies.ts';

/** The protocol refuses a smaller limit. */
const OUTPUT_TOKENS_MIN = 16;

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

// Builds request bodies of OpenAI's Responses protocol.

/**
 * The whole conversation is sent with each question, and OpenAI keeps none of it (`store`). Instructions stand where
 * chat completions have them, just before the last message. An unfinished answer is continued by a question: an item
 * of the protocol is a whole message.
 */
function responseBody(call: ProviderCall, model: string): ResponseCreateParamsStreaming {
  const { settings, messages, summary, userId, maxTokens, target } = call;
  const { reasoning_effort: effort, temperature, top_p } = acceptedParams(settings, call.model);
  const turns = withInstructions(withContinuePrompt(withWireIds(messages)), settings.promptPrefix);
  const items = turns.flatMap(itemsOf);
  const body = {
    model,
    input: summary ? [{ role: 'system', content: summary }, ...items] : items,
    stream: true,
    store: false,
    user: userId,
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { top_p }),
    ...(showsReasoning(call.model) && { reasoning: { summary: 'auto', ...(effort !== undefined && { effort }) } }),
    ...toolParams(call, showsReasoning(call.model)),
    ...formatParams(call),
    ...(maxTokens !== undefined && { max_tokens: maxTokens + reasoningTokens(call.model) }),
    ...target.addParams,
  };
  // The configuration may add and drop any parameter; the provider validates them.
  const whole = Object.entries(withTokenLimit(body)).filter(([name]) => name === 'model' || !isDropped(name, call));
  return Object.fromEntries(whole) as unknown as ResponseCreateParamsStreaming;
}

/** Of a body that was refused for it. */
function withoutReasoningSummary(body: ResponseCreateParamsStreaming): ResponseCreateParamsStreaming {
  const { reasoning, ...rest } = body;
  const { summary: _summary, ...wishes } = reasoning ?? {};
  return Object.keys(wishes).length > 0 ? { ...rest, reasoning: wishes } : rest;
}

/** Models that take an effort also summarise their reasoning; the first ones do neither. */
function showsReasoning(model: string): boolean {
  return 'reasoning_effort' in endpointParams('openAI', model);
}

/** Azure has no model beside a deployment in chat completions; here the deployment is the model. */
function isDropped(name: string, { target }: ProviderCall): boolean {
  return target.dropParams.includes(name);
}

/** The limit under this protocol's name, whichever name of chat completions the configuration uses. */
function withTokenLimit(body: Record<string, unknown>): Record<string, unknown> {
  const { max_tokens, max_completion_tokens: limit = max_tokens, ...rest } = body;
  if (limit === undefined) return rest;
  return { max_output_tokens: Math.max(Number(limit), OUTPUT_TOKENS_MIN), ...rest };
}

interface SystemMessage {
  role: 'system';
  content: string;
}

function itemsOf(turn: ChatMessage | SystemMessage): object[] {
  if (turn.role === 'system') return [turn];
  return hasCalls(turn) ? stepItems(turn) : [itemOf(turn)];
}

function itemOf({ role, content, images = [], files = [] }: ChatMessage): object {
  if (images.length + files.length === 0) return { role, content };
  const text = content === '' ? [] : [{ type: 'input_text', text: content }];
  const imageParts = images.map(responsesImage);
  const documents = files.map(({ name, mime, data }) => ({
    type: 'input_file',
    filename: name,
    file_data: `data:${mime};base64,${data}`,
  }));
  return { role, content: [...text, ...documents, ...imageParts] };
}

function withInstructions(messages: ChatMessage[], prefix: unknown): (ChatMessage | SystemMessage)[] {
  if (typeof prefix !== 'string' || prefix.trim() === '') return messages;
  const at = instructionsIndex(messages);
  return [...messages.slice(0, at), { role: 'system', content: `Instructions:\n${prefix}` }, ...messages.slice(at)];
}
