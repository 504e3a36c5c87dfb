// The parameters of a request, by the table of the endpoint: what its models take under other names is renamed, and what
// they do not take is refused by name.
import { endpointParams, type EndpointType } from '@parley/schema/catalog/endpoints';
import type { Params, Settings } from '@parley/schema/catalog/params';
import { parseSettings } from '@parley/schema/settings/settings';
import { isPalm } from '../../providers/google/palm-models.ts';
import { refuseField } from '../api-error.ts';
import type { ChatRequest } from './chat-request.ts';

export interface ProviderParameters {
  settings: Settings;
  maxTokens: number | undefined;
  toolChoice: 'none' | undefined;
  /** Where they are no setting. */
  stop: string[] | undefined;
}

/** Names of the protocol, and those of other tables for the same. */
const SETTINGS = {
  temperature: ['temperature'],
  top_p: ['top_p', 'topP'],
  frequency_penalty: ['frequency_penalty'],
  presence_penalty: ['presence_penalty'],
  stop: ['stop'],
  reasoning_effort: ['reasoning_effort'],
} as const satisfies Partial<Record<keyof ChatRequest, readonly string[]>>;

/** What only endpoints with this protocol know. */
const ONLY_RELAYED = ['response_format', 'seed', 'logit_bias', 'parallel_tool_calls'] as const;

/** Says what a provider does anyway, so it asks for nothing. */
function isNeutral(name: string, value: unknown): boolean {
  if (name === 'frequency_penalty' || name === 'presence_penalty') return value === 0;
  if (name === 'parallel_tool_calls') return value === true;
  return name === 'response_format' && Object(value).type === 'text';
}

/** Whether texts that end the answer go beside the settings. Google's older models, PaLM, are not sent any. */
function stopsBeside(type: EndpointType, model: string): boolean {
  return type === 'anthropic' || (type === 'google' && !isPalm(model));
}

/** @throws ApiError that names a parameter; ZodError with a sentence about its bounds */
export function providerParameters(request: ChatRequest, type: EndpointType, model: string): ProviderParameters {
  const table = endpointParams(type, model);
  const given: Record<string, unknown> = {};
  const isBeside = !('stop' in table) && stopsBeside(type, model);
  const stop = isBeside ? [request.stop ?? []].flat() : [];
  for (const [name, names] of Object.entries(SETTINGS)) {
    const value = request[name as keyof typeof SETTINGS];
    if (value === undefined || value === null) continue;
    const taken = names.find((one) => one in table);
    if (taken === undefined && (isNeutral(name, value) || (name === 'stop' && isBeside))) continue;
    if (taken === undefined) refuseParameter(name, model);
    given[taken] = name === 'stop' ? [value].flat() : value;
  }
  for (const name of ONLY_RELAYED)
    if (isGiven(request[name]) && !isNeutral(name, request[name])) refuseParameter(name, model);
  const { tool_choice: choice } = request;
  if (choice && choice !== 'auto' && choice !== 'none') refuseParameter('tool_choice', model);
  const limit = tokenLimit(request);
  const isSetting = table.maxOutputTokens?.kind === 'slider';
  const settings = { ...given, ...(limit !== undefined && isSetting && { maxOutputTokens: within(table, limit) }) };
  return {
    settings: parseSettings(type, settings, model),
    maxTokens: isSetting ? undefined : limit,
    toolChoice: choice === 'none' ? choice : undefined,
    stop: stop.length > 0 ? stop : undefined,
  };
}

/**
 * What is relayed to a provider with the same protocol: its parameters as they came.
 * @throws ApiError that names one that the model does not take
 */
export function relayedParameters(request: ChatRequest, type: EndpointType, model: string): Record<string, unknown> {
  const table = endpointParams(type, model);
  const names = ['temperature', 'top_p', 'frequency_penalty', 'presence_penalty', 'stop', 'reasoning_effort'] as const;
  for (const name of names) if (isGiven(request[name]) && !(name in table)) refuseParameter(name, model);
  const limit = tokenLimit(request);
  const { tool_choice } = request;
  const relayed = Object.fromEntries([...names, ...ONLY_RELAYED].map((name) => [name, request[name]]));
  const all = { ...relayed, tool_choice, max_tokens: limit };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => isGiven(value)));
}

function tokenLimit({ max_tokens: old, max_completion_tokens: limit }: ChatRequest): number | undefined {
  return limit ?? old ?? undefined;
}

/** A longer answer than the model gives is one as long as it gives. */
function within({ maxOutputTokens: param }: Params, limit: number): number {
  return param?.kind === 'slider' ? Math.min(limit, param.max) : limit;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function refuseParameter(name: string, model: string): never {
  refuseField(name, `The model ${model} does not take the parameter ${name}.`, 'unsupported_parameter');
}
