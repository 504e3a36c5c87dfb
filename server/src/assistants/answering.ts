// How an assistant answers: by the endpoint and model of its row, with its instructions, tools and files.
import type { Query } from '@parley/db/client';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import type { Settings } from '@parley/schema/catalog/params';
import { cleanText } from '@parley/schema/clean-text';
import type { Endpoint, Endpoints } from '../catalog/endpoint.ts';
import { withDeadline } from '../platform/deadline.ts';
import { Refusal, refuse } from '../platform/errors.ts';
import type { Provider } from '../providers/provider.ts';
import type { ActionStore } from './action-store.ts';
import { chosenToolsOf, type ChosenByAssistant } from './chosen-tools.ts';
import type { AssistantRow } from './present.ts';
import { isAllowed, type AssistantRules } from './rules.ts';
import { assertUsable } from './shared-assistants.ts';

/** The assistant of an ask. */
export interface AnsweringAssistant extends ChosenByAssistant {
  id: string;
  name: string | null;
  /** Null where another person wrote them. */
  ownInstructions: string | null;
}

export interface Answering {
  /** The endpoint of the ask; for an assistant, in the shape of one endpoint, the one that answers for it. */
  endpoint: Endpoint;
  /** Null for the endpoint's first model. */
  model: string | null;
  /** Null on other endpoints. */
  assistant: AnsweringAssistant | null;
}

interface Asked {
  model?: string | null | undefined;
  settings: Readonly<Record<string, unknown>>;
}

/** Finds who answers. @throws Refusal `not_found` without an assistant of this user, or when its endpoint is gone */
export type FindAnswering = (userId: string, endpoint: Endpoint, asked: Asked) => Promise<Answering>;

interface Dependencies {
  query: Query;
  endpoints: Endpoints;
  actions: ActionStore;
  rules: AssistantRules;
  /** The longest run, in milliseconds; undefined where the operator sets none. */
  timeoutMs: number | undefined;
}

/** The types whose models can be asked with instructions and tools. */
const ANSWERING: ReadonlySet<EndpointType> = new Set(['openAI', 'azureOpenAI', 'google', 'anthropic', 'custom']);

export function createAnswering({ query, endpoints, actions, rules, timeoutMs }: Dependencies): FindAnswering {
  return async (userId, endpoint, { model = null, settings }) => {
    if (endpoint.type !== 'assistants') return { endpoint, model, assistant: null };
    const id = typeof settings.assistant_id === 'string' ? cleanText(settings.assistant_id) : '';
    if (!isAllowed(id, rules)) refuse({ type: 'not_found', what: 'assistant' });
    const row = await assertUsable(query, userId, id, rules);
    const other = row.endpoint === null ? null : assertAnswering(endpoints, row.endpoint);
    const chosen = await chosenToolsOf({ query, actions, rules }, row, userId);
    // The operator's default uses OpenAI's protocol.
    const answering = { type: other?.type ?? 'openAI', toolKeys: chosen.keys };
    return {
      endpoint: { ...endpointOf(row, endpoint, other ?? endpoint, timeoutMs), answering },
      // A conversation may have another model of the same endpoint; that of another endpoint is the row's own.
      model: other ? row.model : (model ?? row.model),
      assistant: { id, name: row.name, ownInstructions: row.userId === userId ? row.instructions : null, ...chosen },
    };
  };
}

/** An endpoint that an assistant may name. @throws Refusal `not_found` or `invalid_input` */
export function assertAnswering(endpoints: Endpoints, name: string): Endpoint {
  const endpoint = endpoints.assert(name);
  if (!ANSWERING.has(endpoint.type))
    refuse({ type: 'invalid_input', text: `The endpoint ${name} cannot answer for assistants` });
  return endpoint;
}

/** Named and charged as the endpoint of assistants, called as the one that answers. */
function endpointOf(
  { name, instructions }: AssistantRow,
  assistants: Endpoint,
  by: Endpoint,
  timeoutMs: number | undefined,
): Endpoint {
  const provider = timeoutMs === undefined ? by.provider : withinTime(by.provider, timeoutMs);
  return {
    ...assistants,
    config: {
      ...assistants.config,
      ...(by.config.userProvideURL !== undefined && { userProvideURL: by.config.userProvideURL }),
      ...(name && { modelDisplayLabel: name }),
    },
    models: by.models,
    fetched: by.fetched,
    accepts: by.accepts,
    target: by.target,
    context: {
      ...by.context,
      instructions: ({ model, settings }) => [
        ...(by.context.instructions?.({ model, settings }) ?? []),
        ownInstructions(instructions, settings),
      ],
    },
    provider: (call, signal) => provider({ ...call, settings: settingsOf(call.settings, instructions) }, signal),
  };
}

/**
 * The settings of a call: the instructions of the assistant, or those that replace them, and the additional ones. Calls
 * beside the conversation, such as for its title, name no assistant and stay as they are.
 */
function settingsOf(all: Settings, instructions: string | null): Settings {
  const { assistant_id, instructions: _instead, ...rest } = all;
  if (assistant_id === undefined) return rest;
  const additional = typeof rest.promptPrefix === 'string' ? rest.promptPrefix : '';
  const texts = [ownInstructions(instructions, all), additional].filter((text) => text.trim() !== '');
  return { ...rest, promptPrefix: texts.join('\n\n') };
}

function ownInstructions(instructions: string | null, { instructions: instead }: Settings): string {
  return typeof instead === 'string' && instead.trim() !== '' ? instead : (instructions ?? '');
}

/** Ends all calls of one run when its time is over, counted from the first. */
function withinTime(provider: Provider, ms: number): Provider {
  let deadline: AbortSignal | null = null;
  return async function* (call, signal) {
    deadline ??= withDeadline(ms);
    const isOver = deadline;
    yield* provider(call, AbortSignal.any([signal, isOver]));
    if (isOver.aborted && !signal.aborted) throw new Refusal({ type: 'answer_too_slow' });
  };
}
