// How an assistant answers: by the endpoint and model of its row, with its instructions, tools and files.
import type { Query } from '@parley/db/client';
import type { Settings } from '@parley/schema/catalog/params';
import { cleanText } from '@parley/schema/clean-text';
import type { Endpoint, Endpoints } from '../catalog/endpoint.ts';
import { withDeadline } from '../platform/deadline.ts';
import { Refusal, refuse } from '../platform/errors.ts';
import type { Provider } from '../providers/provider.ts';
import type { ActionStore } from './action-store.ts';
import { findChosenTools, type ChosenByAssistant } from './chosen-tools.ts';
import type { AssistantRow } from './present.ts';
import { instructionsBefore, joinInstructions } from './instructions.ts';
import { isAllowed, type AssistantRules } from './rules.ts';
import { assertUsable } from './shared-assistants.ts';
import { assertResponder, findOffering, isLeftIn, offersModel } from './who-answers.ts';

/** The assistant of an ask. */
export interface RespondingAssistant extends ChosenByAssistant {
  id: string;
  name: string | null;
  /** Null where another person wrote them. */
  ownInstructions: string | null;
  /** Names the endpoint that answers for it. */
  answeredBy: string;
  /** Says whether it may know who asks: always where that is its owner. */
  knowsAsker: boolean;
}

export interface Responder {
  /** The endpoint of the ask; for an assistant, in the shape of one endpoint, the one that answers for it. */
  endpoint: Endpoint;
  /** Null for the endpoint's first model. */
  model: string | null;
  /** Null on other endpoints. */
  assistant: RespondingAssistant | null;
}

interface Asked {
  model?: string | null | undefined;
  settings: Readonly<Record<string, unknown>>;
}

/** Finds who answers. @throws Refusal `not_found` without an assistant of this user, or when its endpoint is gone */
export type FindResponder = (userId: string, endpoint: Endpoint, asked: Asked) => Promise<Responder>;

interface Dependencies {
  query: Query;
  endpoints: Endpoints;
  actions: ActionStore;
  rules: AssistantRules;
  /** The longest run, in milliseconds; undefined where the operator sets none. */
  timeoutMs: number | undefined;
}

export function createFindResponder({ query, endpoints, actions, rules, timeoutMs }: Dependencies): FindResponder {
  return async (userId, endpoint, { model = null, settings }) => {
    if (endpoint.type !== 'assistants') return { endpoint, model, assistant: null };
    const id = typeof settings.assistant_id === 'string' ? cleanText(settings.assistant_id) : '';
    if (!isAllowed(id, rules)) refuse({ type: 'not_found', what: 'assistant' });
    const row = await assertUsable(query, userId, id, rules);
    const by = await whoAnswers(endpoints, userId, row);
    const chosen = await findChosenTools({ query, actions, rules }, row, userId);
    // The operator's own for assistants uses OpenAI's protocol.
    const responder = {
      type: by.type === 'assistants' ? 'openAI' : by.type,
      toolKeys: [...new Set([...chosen.keys, ...ownTools(settings, rules)])],
    };
    // A conversation may have another model of the same endpoint.
    const isOther = model !== null && model !== row.model && (await isAnswered(endpoints, by, userId, model));
    return {
      endpoint: { ...endpointOf(row, endpoint, by, timeoutMs), responder },
      model: isOther ? model : row.model,
      assistant: {
        id,
        name: row.name,
        ownInstructions: row.userId === userId ? row.instructions : null,
        answeredBy: by.name,
        knowsAsker: row.userId === userId || row.knowsAsker,
        ...chosen,
      },
    };
  };
}

/**
 * The endpoint of an assistant. Rows that name none are of before there was more than one, or the operator's own for
 * assistants answers.
 * @throws Refusal `not_found`, `model_not_yours`; `illegal_model_request`, which is no violation by the asker
 */
async function whoAnswers(endpoints: Endpoints, userId: string, { endpoint, model }: AssistantRow): Promise<Endpoint> {
  const named = endpoint === null ? null : assertResponder(endpoints, endpoint);
  const by = named ?? (await findOffering(endpoints, userId, model));
  if (by && (await isAnswered(endpoints, by, userId, model))) return by;
  const isTheirs = !named || (await named.permits(userId, model));
  const type = isTheirs ? 'illegal_model_request' : 'model_not_yours';
  return refuse({ type, endpoint: endpoint ?? 'assistants', model });
}

async function isAnswered(endpoints: Endpoints, by: Endpoint, userId: string, model: string): Promise<boolean> {
  return (await offersModel(by, userId, model)) && isLeftIn(endpoints, userId, model);
}

/** The tools that the conversation has chosen beside those of its assistant, as far as the operator leaves them on. */
function ownTools({ tools }: Asked['settings'], { capabilities }: AssistantRules): string[] {
  if (!Array.isArray(tools) || !capabilities.includes('tools')) return [];
  return tools.filter((key: unknown): key is string => {
    if (typeof key !== 'string') return false;
    return key !== 'code_interpreter' || capabilities.includes('code_interpreter');
  });
}

/** Named and charged as the endpoint of assistants, called as the one that answers. */
function endpointOf(
  { name, instructions }: AssistantRow,
  assistants: Endpoint,
  by: Endpoint,
  timeoutMs: number | undefined,
): Endpoint {
  const provider = timeoutMs === undefined ? by.provider : withinTime(by.provider, timeoutMs);
  const { userProvideURL: _ofAssistants, ...config } = assistants.config;
  const { userProvideURL } = by.config;
  const ownTitles = { titles: assistants.titles, titleModel: assistants.titleModel };
  const enabled = assistants.titles.enabled && by.titles.enabled;
  return {
    ...assistants,
    ...(by === assistants ? ownTitles : { titles: { ...by.titles, enabled }, titleModel: by.titleModel }),
    config: {
      ...config,
      ...(userProvideURL !== undefined && { userProvideURL }),
      ...(name && { modelDisplayLabel: name }),
    },
    models: by.models,
    fetched: by.fetched,
    ratesOf: by.ratesOf,
    accepts: by.accepts,
    permits: by.permits,
    target: by.target,
    context: {
      ...by.context,
      instructions: ({ model, settings }) => [
        ...(by.context.instructions?.({ model, settings }) ?? []),
        ...instructionsBefore(settings),
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
  return assistant_id === undefined ? rest : joinInstructions(rest, ownInstructions(instructions, all));
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
