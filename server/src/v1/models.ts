// The models of a key, and the one place where an id of a model becomes one: `endpoint/model`, a model by its name where
// one endpoint has it, `assistant/<id>`.
import { endpointTable, type EndpointRow, type EndpointType } from '@parley/schema/catalog/endpoints';
import type { Db, Query } from '@parley/db/client';
import type { KeyHolder } from '../platform/requests/key-holder.ts';
import { mayUseEndpoint } from '../api-keys/key-holders.ts';
import { listAssistants } from '../assistants/assistants.ts';
import type { FindResponder, Responder } from '../assistants/find-responder.ts';
import { assistantRules } from '../assistants/rules.ts';
import { listShared } from '../assistants/shared-assistants.ts';
import type { Endpoint, Endpoints } from '../catalog/endpoint.ts';
import { resolveModel } from '../chat/checks/assert-model.ts';
import type { Config } from '../config.ts';
import type { ModelMetadata } from '../providers/model-metadata.ts';
import { ApiError } from './api-error.ts';

export interface ModelDeps {
  config: Config;
  db: Db;
  endpoints: Endpoints;
  findResponder: FindResponder;
}

export interface ModelEntry {
  id: string;
  object: 'model';
  created: number;
  owned_by: string;
}

/** What a request is answered by. */
export interface ChosenModel extends Responder {
  model: string;
  metadata: ModelMetadata;
  /** The settings that name the assistant. */
  settings: Record<string, string>;
}

const ASSISTANT = 'assistant/';
/** Assistants have ids of their own, and the other one has the models of OpenAI beside tools of this server. */
const ANSWERED_ELSEWHERE: readonly EndpointType[] = ['assistants', 'gptPlugins'];
/** Of one person: more are found by their id. */
const ASSISTANTS_LISTED = 100;

/** Of the model that the operator has chosen for the texts of files; null where there is none, or the key is not for it. */
export async function embeddingModel({ config, endpoints }: ModelDeps, holder: KeyHolder) {
  const { embeddings } = config.retrieval;
  const endpoint = embeddings && endpoints.list().find(({ name }) => name === embeddings.endpoint);
  if (!embeddings || !endpoint || !mayUseEndpoint(holder, endpoint.name)) return null;
  if (!(await endpoint.permits(holder.userId, embeddings.model))) return null;
  return { endpoint, model: embeddings.model, id: `${endpoint.name}/${embeddings.model}` };
}

export async function listModels(deps: ModelDeps, holder: KeyHolder): Promise<ModelEntry[]> {
  const embedding = await embeddingModel(deps, holder);
  const lists = await Promise.all(
    answering(deps.endpoints, holder).map(async ({ name, models }) =>
      (await models(holder.userId)).map((model) => entryOf(`${name}/${model}`, name)),
    ),
  );
  const entries = new Map(lists.flat().map((entry) => [entry.id, entry]));
  if (embedding) entries.set(embedding.id, entryOf(embedding.id, embedding.endpoint.name));
  return [...entries.values(), ...(await listOfAssistants(deps, holder))];
}

/** @throws ApiError `model_not_found` */
export async function describeModel(deps: ModelDeps, holder: KeyHolder, id: string): Promise<ModelEntry> {
  const embedding = await embeddingModel(deps, holder);
  if (embedding?.id === id) return entryOf(id, embedding.endpoint.name);
  const { endpoint } = await chooseModel(deps, holder, id);
  return entryOf(id, endpoint.name);
}

/** @throws ApiError `model_not_found` for what this key's person does not have, and what the key is not for */
export async function chooseModel(deps: ModelDeps, holder: KeyHolder, id: string): Promise<ChosenModel> {
  if (id.startsWith(ASSISTANT)) return chooseAssistant(deps, holder, id);
  const found = await findEndpoint(answering(deps.endpoints, holder), holder, id);
  const responder = { ...found, assistant: null, settings: {} };
  return { ...responder, ...(await known(deps.db.query, holder, responder, id)) };
}

/** The endpoint whose name begins the id, or the only one that has the model. */
async function findEndpoint(endpoints: readonly Endpoint[], { userId }: KeyHolder, id: string) {
  // Names may hold a slash, too.
  const named = endpoints.find(({ name }) => id.startsWith(`${name}/`));
  if (named) return { endpoint: named, model: id.slice(named.name.length + 1) };
  const offers = await Promise.all(endpoints.map(async ({ models }) => (await models(userId)).includes(id)));
  const [only, another] = endpoints.filter((_, index) => offers[index]);
  if (!only) refuseModel(id);
  if (another) {
    const ids = endpoints.filter((_, index) => offers[index]).map(({ name }) => `${name}/${id}`);
    refuseModel(id, `Several endpoints have the model ${id}: name one of ${ids.join(', ')}.`);
  }
  return { endpoint: only, model: id };
}

async function chooseAssistant(deps: ModelDeps, holder: KeyHolder, id: string): Promise<ChosenModel> {
  const endpoint = ofAssistants(deps.endpoints, holder) ?? refuseModel(id);
  const settings = { assistant_id: id.slice(ASSISTANT.length) };
  const responder = await deps.findResponder(holder.userId, endpoint, { settings });
  const { model, metadata } = await resolveModel(deps.db.query, holder.userId, responder, []);
  return { ...responder, model, metadata, settings };
}

async function known(query: Query, { userId }: KeyHolder, responder: Responder, id: string) {
  const { models, accepts } = responder.endpoint;
  const model = responder.model ?? '';
  if (!(await models(userId)).includes(model) && !(await accepts(userId, model))) refuseModel(id);
  return resolveModel(query, userId, responder, []);
}

/** Those that answer from what they are sent: not assistants, nor providers that keep conversations themselves. */
function answering(endpoints: Endpoints, holder: KeyHolder): Endpoint[] {
  return endpoints.list().filter((endpoint) => {
    const { keepsThread = false }: EndpointRow = endpointTable[endpoint.type];
    return (
      !keepsThread &&
      endpoint.isAnsweredByOthers !== true &&
      !ANSWERED_ELSEWHERE.includes(endpoint.type) &&
      mayUseEndpoint(holder, endpoint.name)
    );
  });
}

function ofAssistants(endpoints: Endpoints, holder: KeyHolder): Endpoint | undefined {
  return endpoints.list().find((endpoint) => endpoint.type === 'assistants' && mayUseEndpoint(holder, endpoint.name));
}

async function listOfAssistants({ config, db, endpoints }: ModelDeps, holder: KeyHolder): Promise<ModelEntry[]> {
  if (!ofAssistants(endpoints, holder)) return [];
  const rules = assistantRules(config);
  const [own, shared] = await Promise.all([
    listAssistants(db, holder.userId, { limit: ASSISTANTS_LISTED, order: 'desc' }, rules),
    listShared(db, holder.userId, rules),
  ]);
  const ids = new Set([...own.assistants, ...shared].map(({ assistantId }) => assistantId));
  return [...ids].map((id) => entryOf(`${ASSISTANT}${id}`, 'assistants'));
}

function entryOf(id: string, endpoint: string): ModelEntry {
  // Nobody tells when a model was made; the official clients expect a number.
  return { id, object: 'model', created: 0, owned_by: endpoint };
}

export function refuseModel(id: string, message = `The model ${id} is not there, or this key is not for it.`): never {
  throw new ApiError({ status: 404, type: 'invalid_request_error', code: 'model_not_found', message, param: 'model' });
}
