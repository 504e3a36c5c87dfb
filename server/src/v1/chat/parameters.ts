// The parameters of a request, by the table of the endpoint: what its models take under other names is renamed, and what
// they do not take is refused by name.
import { endpointParams, type EndpointType } from '@parley/schema/catalog/endpoints';
import { modelMarks } from '@parley/schema/catalog/marks';
import type { Params, Settings } from '@parley/schema/catalog/params';
import { typedEntries } from '@parley/schema/entries';
import { parseSettings } from '@parley/schema/settings/settings';
import type { AnswerFormat, ToolChoice } from '../../providers/answers/answer-format.ts';
import { isPalm } from '../../providers/google/palm-models.ts';
import { isCompletionModel } from '../../providers/openai/bodies.ts';
import type { ProviderTarget } from '../../providers/provider.ts';
import { refuseField } from '../api-error.ts';
import type { ChatRequest, GivenRequest } from './chat-request.ts';
import * as z from 'zod';

/** Each search, and each page that is read, costs beside the tokens. */
const BESIDE_TOKENS = ['plugins', 'web_search_options'] as const;

/** No dearer than the usual one. */
const TIERS: readonly unknown[] = ['auto', 'default', 'flex'];

const Name = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'A name has 1 to 64 letters, digits, _ and -');

const ResponseFormat = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    json_schema: z.object({
      name: Name.optional(),
      description: z.string().nullish(),
      schema: z.record(z.string(), z.unknown()).optional(),
      strict: z.boolean().nullish(),
    }),
  }),
]);

export interface ProviderParameters {
  settings: Settings;
  maxTokens: number | undefined;
  toolChoice: ToolChoice | undefined;
  parallelCalls: false | undefined;
  format: AnswerFormat | undefined;
  /** For providers that have it. */
  seed: number | undefined;
  /** Where they are no setting. */
  stop: string[] | undefined;
  /** For models that are told not to think beside their settings. */
  thinks: false | undefined;
}

/** Who gets a request in their own words. */
export interface Speaker {
  type: EndpointType;
  model: string;
  target: Pick<ProviderTarget, 'responses' | 'forcePrompt'>;
  /** Speaks another protocol than the endpoints of its type. */
  hasOwnProtocol: boolean;
}

/** Names of the protocol, and those of other tables for the same. */
const SETTINGS = {
  temperature: ['temperature'],
  top_p: ['top_p', 'topP'],
  top_k: ['topK'],
  frequency_penalty: ['frequency_penalty'],
  presence_penalty: ['presence_penalty'],
  stop: ['stop'],
  reasoning_effort: ['reasoning_effort'],
} as const satisfies Partial<Record<keyof ChatRequest, readonly string[]>>;

/** What is no setting. */
const OTHERS = ['response_format', 'seed', 'logit_bias', 'parallel_tool_calls'] as const;

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

/**
 * What the provider has no way to ask for. No protocol promises that the same seed gives the same answer: where there
 * are no seeds, there is nothing to do.
 */
function isWithoutWay(name: string, { type, model, target, hasOwnProtocol }: Speaker): boolean {
  if (name === 'logit_bias') return true;
  const isOld = target.forcePrompt === true || isCompletionModel(model) || isPalm(model);
  return isOld || hasOwnProtocol || !SPEAKS_JSON.includes(type);
}

const SPEAKS_JSON: readonly EndpointType[] = ['openAI', 'azureOpenAI', 'custom', 'anthropic', 'google'];
/** What the Responses protocol dropped. */
const RESPONSES_DROPS: ReadonlySet<string> = new Set(['stop', 'frequency_penalty', 'presence_penalty']);

/** @throws ApiError that names a parameter; ZodError with a sentence about its bounds */
export function providerParameters({ asked: request, thinking }: GivenRequest, speaker: Speaker): ProviderParameters {
  const { type, model, target } = speaker;
  const table = endpointParams(type, model);
  const given: Record<string, unknown> = {};
  const isBeside = !('stop' in table) && stopsBeside(type, model);
  assertStops(request, type, model);
  const stop = isBeside ? [request.stop ?? []].flat() : [];
  for (const [name, names] of typedEntries(SETTINGS)) {
    const value = request[name];
    if (value === undefined || value === null) continue;
    const taken = names.find((one) => one in table);
    if (taken === undefined && (isNeutral(name, value) || (name === 'stop' && isBeside))) continue;
    const isDropped = target.responses !== undefined && RESPONSES_DROPS.has(name) && !isNeutral(name, value);
    if (taken === undefined || isDropped) refuseParameter(name, model);
    given[taken] = name === 'stop' ? [value].flat() : value;
  }
  for (const name of OTHERS)
    if (isGiven(request[name]) && !isNeutral(name, request[name]) && isWithoutWay(name, speaker))
      refuseParameter(name, model);
  const thought = thoughtOf(thinking, speaker);
  Object.assign(given, { ...thought.settings, ...given });
  // With a budget, what is thought stands beside the answer's own limit.
  const limit = limitBeside(tokenLimit(request), given.thinkingBudget);
  const isSetting = table.maxOutputTokens?.kind === 'slider';
  const settings = { ...given, ...(limit !== undefined && isSetting && { maxOutputTokens: within(table, limit) }) };
  return {
    settings: parseSettings(type, settings, model),
    maxTokens: isSetting ? undefined : limit,
    toolChoice: toolChoice(request),
    parallelCalls: request.parallel_tool_calls === false ? false : undefined,
    format: answerFormat(request.response_format),
    seed: request.seed ?? undefined,
    stop: stop.length > 0 ? stop : undefined,
    thinks: thought.thinks,
  };
}

/** @throws ApiError for a call of a tool that is not offered */
function toolChoice({ tool_choice: choice, tools }: ChatRequest): ToolChoice | undefined {
  if (!choice) return undefined;
  if (choice === 'auto' || choice === 'none') return choice;
  const names = (tools ?? []).map(({ function: { name } }) => name);
  if (choice === 'required' && names.length > 0) return choice;
  if (typeof choice === 'object' && names.includes(choice.function.name)) return { name: choice.function.name };
  return refuseField('tool_choice', 'A model can be made to call a tool only if the request offers it.');
}

/**
 * What is relayed to a provider with the same protocol: its parameters as they came.
 * @throws ApiError that names one that the model does not take
 */
export function relayedParameters(
  { asked: request, thinking }: GivenRequest,
  type: EndpointType,
  model: string,
): Record<string, unknown> {
  const table = endpointParams(type, model);
  const names = ['temperature', 'top_p', 'frequency_penalty', 'presence_penalty', 'stop', 'reasoning_effort'] as const;
  for (const name of names) if (isGiven(request[name]) && !(name in table)) refuseParameter(name, model);
  assertStops(request, type, model);
  const limit = tokenLimit(request);
  const { tool_choice } = request;
  const relayed = Object.fromEntries([...names, ...OTHERS, 'top_k' as const].map((name) => [name, request[name]]));
  const thought = thoughtOf(thinking, { type, model });
  const all = { ...thought.settings, ...present(relayed), tool_choice, max_tokens: limit };
  return present(all);
}

function present(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isGiven(value)));
}

/** From these budgets on, in tokens, an effort is medium and high. */
const MEDIUM = 4_096;
const HIGH = 16_384;

/** What asks a model to think, or not to: a budget, or the effort that is nearest to it. */
function thoughtOf(
  thinking: GivenRequest['thinking'],
  { type, model }: Pick<Speaker, 'type' | 'model'>,
): { settings?: Settings; thinks?: false } {
  if (thinking === undefined) return {};
  const { thinkingBudget, reasoning_effort: effort } = endpointParams(type, model);
  if (typeof thinking === 'number') {
    if (thinkingBudget) return { settings: { thinkingBudget: thinking } };
    if (!effort) return refuseParameter('thinking', model);
    return { settings: { reasoning_effort: thinking < MEDIUM ? 'low' : thinking < HIGH ? 'medium' : 'high' } };
  }
  const { thinks } = modelMarks(type, model);
  if (!thinks) return thinking === 'disabled' ? {} : refuseParameter('thinking', model);
  if (thinking === 'adaptive') {
    // With a budget alone a model does not think as long as it likes.
    if (thinkingBudget) return refuseParameter('thinking', model);
    // What thinks on request only is asked for the effort that is the provider's default.
    return effort?.default === 'none' ? { settings: { reasoning_effort: 'high' } } : {};
  }
  if (type === 'anthropic' || type === 'google')
    return alwaysThinks(model) ? refuseParameter('thinking', model) : { thinks: false };
  const takesNone = effort?.kind === 'choice' && effort.options.includes('none');
  return takesNone ? { settings: { reasoning_effort: 'none' } } : refuseParameter('thinking', model);
}

/**
 * Claude named Fable or Mythos refuses not to think, and of Gemini only the Flash models of 2.5 can be told to.
 * https://platform.claude.com/docs/en/models/fable-5/migration-guide, https://ai.google.dev/gemini-api/docs/thinking
 */
function alwaysThinks(model: string): boolean {
  return /fable|mythos|gemini-(?!2\.5-flash)/.test(model);
}

/** The most texts that end an answer, of providers that have a limit. */
const STOPS_MAX: Partial<Record<EndpointType, number>> = { openAI: 4, azureOpenAI: 4, google: 5 };

/** @throws ApiError. Only Anthropic's protocol, which has no limit, brings more than four. */
function assertStops({ stop }: ChatRequest, type: EndpointType, model: string): void {
  const max = STOPS_MAX[type] ?? Infinity;
  if (Array.isArray(stop) && stop.length > max)
    refuseField('stop_sequences', `The model ${model} takes at most ${max} stop_sequences.`);
}

function limitBeside(limit: number | undefined, budget: unknown): number | undefined {
  return limit === undefined || typeof budget !== 'number' ? limit : Math.max(1, limit - budget);
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

// `response_format`: the shape of an answer.

/** @throws ApiError for what is no format of the protocol */
function answerFormat(asked: unknown): AnswerFormat | undefined {
  if (asked === undefined || asked === null) return undefined;
  const { success, data } = ResponseFormat.safeParse(asked);
  if (!success)
    refuseField('response_format', 'The format is text, json_object, or json_schema with a name and a schema.');
  if (data.type === 'text') return undefined;
  if (data.type === 'json_object') return {};
  const { description, ...format } = data.json_schema;
  return { ...format, ...(description && { description }) };
}

// Fields that make a call cost more than its tokens at the usual rate, which is all that this server charges.

/**
 * `isLimited` tells whether a balance, a budget or the limit of a key holds the call to what it may cost.
 * @throws ApiError that names the field
 */
export async function assertPriced(beside: Record<string, unknown>, isLimited: () => Promise<boolean>): Promise<void> {
  if ('service_tier' in beside && !TIERS.includes(beside.service_tier))
    refuseField('service_tier', 'This server has prices for the tiers auto, default and flex alone.');
  const dear = BESIDE_TOKENS.find((name) => name in beside);
  if (dear && (await isLimited()))
    refuseField(
      dear,
      `What ${dear} adds costs beside the tokens, so it is not for calls that a limit of credits holds.`,
    );
}
