// The call of a provider that a request becomes.
import { imageTokens } from '@parley/schema/catalog/image-tokens';
import { takesTools, type EndpointType } from '@parley/schema/catalog/endpoints';
import type { Settings } from '@parley/schema/catalog/params';
import { countTokens } from '../../catalog/count-tokens.ts';
import { spokenType } from '../../chat/context/context-limits.ts';
import { isCompletionModel } from '../../providers/openai/bodies.ts';
import type { ChatMessage, ProviderCall, ProviderTarget } from '../../providers/provider.ts';
import type { ToolSpec } from '../../providers/tool-spec.ts';
import { refuseField } from '../api-error.ts';
import type { ChosenModel } from '../models.ts';
import type { ChatRequest, RequestTool } from './chat-request.ts';
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

/** @throws ApiError, or ZodError with a sentence, for what this model does not take */
export function prepareCall(
  request: ChatRequest,
  chosen: ChosenModel,
  target: ProviderTarget,
  userId: string,
): Prepared {
  const { endpoint, model } = chosen;
  const { system, messages } = providerMessages(request.messages);
  const tools = (request.tools ?? []).map(specOf);
  if (tools.length > 0 && !takesTools(spokenType(endpoint), model))
    refuseField('tools', `The model ${model} takes no tools.`, 'unsupported_parameter');
  const base = { model, messages, userId, ...(tools.length > 0 && { tools }) };
  const call = isRelayed(chosen, target)
    ? { ...base, settings: {}, target: forChat(target), relayed: relayedFields(request, chosen) }
    : { ...base, ...translated(request, chosen, system), target };
  const texts = [system, ...messages.map(({ content }) => content)].filter((text) => text.trim() !== '');
  const told = [...texts, ...messages.flatMap(textsOfCalls), JSON.stringify(tools)];
  const beside = MESSAGE_TOKENS * messages.length + tokensOfImages(messages, endpoint.type, model);
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

function relayedFields(request: ChatRequest, { endpoint, model }: ChosenModel): Record<string, unknown> {
  const { messages, tools } = request;
  return { ...relayedParameters(request, endpoint.type, model), messages, ...(tools?.length && { tools }) };
}

function translated(request: ChatRequest, { endpoint, model, settings: own }: ChosenModel, system: string) {
  const { settings, maxTokens, toolChoice, stop } = providerParameters(request, spokenType(endpoint), model);
  return {
    settings: { ...settings, ...own, ...(system !== '' && { promptPrefix: system }) },
    ...(maxTokens !== undefined && { maxTokens }),
    ...(toolChoice && { toolChoice }),
    ...(stop && { stop }),
  };
}

function specOf({ function: { name, description = '', parameters } }: RequestTool): ToolSpec {
  return { name, description, parameters: parameters ?? { type: 'object', properties: {} } };
}

function textsOfCalls({ calls = [] }: ChatMessage): string[] {
  return calls.flatMap(({ name, input, output }) => [name, input, output]);
}

function tokensOfImages(messages: readonly ChatMessage[], type: EndpointType, model: string): number {
  const size = { width: IMAGE_SIDE_PX, height: IMAGE_SIDE_PX };
  const all = messages.flatMap(({ images = [] }) => images);
  return all.reduce((sum, { detail }) => sum + imageTokens(type, model, size, detail), 0);
}
