// The call of a provider that a request becomes.
import { imageTokens } from '@parley/schema/catalog/image-tokens';
import { pdfRuleOf } from '@parley/schema/catalog/pdf';
import { takesTools, type EndpointType } from '@parley/schema/catalog/endpoints';
import type { Settings } from '@parley/schema/catalog/params';
import { countTokens } from '../../catalog/count-tokens.ts';
import { spokenType } from '../../chat/context/context-limits.ts';
import { isCompletionModel } from '../../providers/openai/bodies.ts';
import type { ChatMessage, ProviderCall, ProviderTarget } from '../../providers/provider.ts';
import type { ToolSpec } from '../../providers/tool-spec.ts';
import { refuseField } from '../api-error.ts';
import type { ChosenModel } from '../models.ts';
import { refuseUnknown, type GivenRequest, type RequestTool } from './chat-request.ts';
import { providerParameters, relayedParameters } from './parameters.ts';
import { providerMessages } from './provider-messages.ts';

export interface Prepared {
  call: Omit<ProviderCall, 'onBytes'>;
  settings: Settings;
  /** All that the model is told, for moderation. */
  texts: string[];
  /** Of the answer, where the request says so. */
  maxTokens: number | undefined;
  countPromptTokens(): Promise<number>;
}

/** Endpoints whose provider speaks this protocol. */
const SAME_PROTOCOL: readonly EndpointType[] = ['openAI', 'azureOpenAI', 'custom'];
const MESSAGE_TOKENS = 4;
/** Of a picture whose size nobody has looked at. */
const IMAGE_SIDE_PX = 1024;
/** Of a PDF whose pages nobody has counted. */
const PAGE_BYTES = 50_000;

/** @throws ApiError, or ZodError with a sentence, for what this model does not take */
export function prepareCall(
  given: GivenRequest,
  chosen: ChosenModel,
  target: ProviderTarget,
  userId: string,
): Prepared {
  const { asked: request, beside: unknown } = given;
  const { endpoint, model } = chosen;
  const { system, messages } = providerMessages(request.messages);
  const tools = (request.tools ?? []).map(specOf);
  if (tools.length > 0 && !takesTools(spokenType(endpoint), model))
    refuseField('tools', `The model ${model} takes no tools.`, 'unsupported_parameter');
  const base: Pick<Prepared['call'], 'model' | 'messages' | 'userId' | 'tools' | 'relayed'> = {
    model,
    messages,
    userId,
    ...(tools.length > 0 && { tools }),
  };
  const call = isRelayed(chosen, target)
    ? { ...base, settings: {}, target: forChat(target), relayed: { ...unknown, ...relayedFields(given, chosen) } }
    : { ...base, ...translated(given, chosen, target, system), target };
  const [notKnown] = call.relayed ? [] : Object.keys(unknown);
  if (notKnown !== undefined) refuseUnknown(notKnown);
  const texts = [system, ...messages.map(({ content }) => content)].filter((text) => text.trim() !== '');
  const told = [...texts, ...messages.flatMap(textsOfCalls), JSON.stringify(tools)];
  const beside = MESSAGE_TOKENS * messages.length + tokensBeside(messages, endpoint.type, model);
  return {
    call,
    settings: call.settings,
    texts,
    maxTokens: request.max_completion_tokens ?? request.max_tokens ?? undefined,
    async countPromptTokens() {
      let sum = beside;
      for (const text of told) sum += await countTokens(text);
      return sum;
    },
  };
}

/** Whether the provider gets the request as it came; an assistant adds its instructions. */
function isRelayed({ endpoint, assistant, model }: ChosenModel, { responses, forcePrompt }: ProviderTarget): boolean {
  const isAlike = SAME_PROTOCOL.includes(endpoint.type) && endpoint.hasOwnProtocol !== true && !assistant;
  return isAlike && !responses && forcePrompt !== true && !isCompletionModel(model);
}

/** Chat completions are asked for, and answered by. */
function forChat({ responsesForTools: _others, ...target }: ProviderTarget): ProviderTarget {
  return target;
}

function relayedFields(given: GivenRequest, { endpoint, model }: ChosenModel): Record<string, unknown> {
  const { messages, tools } = given.asked;
  const bare = messages.map(({ signatures: _signatures, isError: _isError, ...message }) => message);
  return { ...relayedParameters(given, endpoint.type, model), messages: bare, ...(tools?.length && { tools }) };
}

function translated(given: GivenRequest, chosen: ChosenModel, target: ProviderTarget, system: string) {
  const { endpoint, model, settings: own } = chosen;
  const speaker = { type: spokenType(endpoint), model, target, hasOwnProtocol: endpoint.hasOwnProtocol === true };
  const { settings, maxTokens, parallelCalls, seed, thinks, ...asked } = providerParameters(given, speaker);
  return {
    settings: { ...settings, ...own, ...(system !== '' && { promptPrefix: system }) },
    ...(maxTokens !== undefined && { maxTokens }),
    ...(parallelCalls === false && { parallelCalls }),
    ...(seed !== undefined && { seed }),
    ...(thinks === false && { thinks }),
    ...(asked.toolChoice && { toolChoice: asked.toolChoice }),
    ...(asked.format && { format: asked.format }),
    ...(asked.stop && { stop: asked.stop }),
  };
}

function specOf({ function: { name, description = '', parameters } }: RequestTool): ToolSpec {
  return { name, description, parameters: parameters ?? { type: 'object', properties: {} } };
}

function textsOfCalls({ calls = [] }: ChatMessage): string[] {
  return calls.flatMap(({ name, input, output }) => [name, input, output]);
}

function tokensBeside(messages: readonly ChatMessage[], type: EndpointType, model: string): number {
  const size = { width: IMAGE_SIDE_PX, height: IMAGE_SIDE_PX };
  const images = messages.flatMap((message) => message.images ?? []);
  const pages = messages
    .flatMap(({ files = [] }) => files)
    .reduce((sum, { data }) => sum + Math.ceil((data.length * 0.75) / PAGE_BYTES), 0);
  const ofImages = images.reduce((sum, { detail }) => sum + imageTokens(type, model, size, detail), 0);
  return ofImages + pages * (pdfRuleOf(type, model)?.tokensPerPage ?? 0);
}
