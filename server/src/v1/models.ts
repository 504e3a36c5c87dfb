// The models of a key, and the one place where an id of a model becomes one: `endpoint/model`, a model by its name where
// one endpoint has it, `assistant/<id>`.
import { endpointTable, type EndpointRow, type EndpointType } from '@parley/schema/catalog/endpoints';
import { findPictureModel } from '@parley/schema/pictures/models';
import type { Db, Query } from '@parley/db/client';
import type { KeyHolder } from '../platform/requests/key-holder.ts';
import { mayUseEndpoint } from '../api-keys/key-holders.ts';
import { listAssistants } from '../assistants/assistants.ts';
import type { FindResponder, Responder } from '../assistants/find-responder.ts';
import { assistantRules } from '../assistants/rules.ts';
import { listShared } from '../assistants/shared-assistants.ts';
import type { Endpoint, Endpoints } from '../catalog/endpoint.ts';
import { resolveModel } from '../chat/checks/assert-model.ts';
import type { Config } from '../config/config.ts';
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

interface EmbeddingChoice {
  id: string;
  endpoint: Endpoint;
  model: string;
}

/** The models of embeddings that the operator has named, without those that the key or its person may not use. */
async function embeddingModels({ config, endpoints }: ModelDeps, holder: KeyHolder): Promise<EmbeddingChoice[]> {
  const choices = config.embeddings.map(async ({ endpoint: name, model }) => {
    const endpoint = endpoints.list().find((one) => one.name === name);
    if (!endpoint || !mayUseEndpoint(holder, name)) return [];
    return (await endpoint.permits(holder.userId, model)) ? [{ id: `${name}/${model}`, endpoint, model }] : [];
  });
  return (await Promise.all(choices)).flat();
}

/** @throws ApiError `model_not_found` */
export async function chooseEmbeddingModel(deps: ModelDeps, holder: KeyHolder, id: string): Promise<EmbeddingChoice> {
  const all = await embeddingModels(deps, holder);
  const named = all.find((one) => one.id === id);
  return (
    named ??
    onlyOne(
      id,
      all.filter(({ model }) => model === id),
    )
  );
}

export async function listModels(deps: ModelDeps, holder: KeyHolder): Promise<ModelEntry[]> {
  const lists = await Promise.all(
    answering(deps.endpoints, holder).map(async ({ name, models, config }) =>
      (await models(holder.userId))
        // What only draws answers no call of these protocols.
        .filter((model) => findPictureModel(config, model)?.chats !== false)
        .map((model) => entryOf(`${name}/${model}`, name)),
    ),
  );
  const embeddings = (await embeddingModels(deps, holder)).map(({ id, endpoint }) => entryOf(id, endpoint.name));
  const entries = new Map([...lists.flat(), ...embeddings].map((entry) => [entry.id, entry]));
  return [...entries.values(), ...(await listOfAssistants(deps, holder))];
}

/** @throws ApiError `model_not_found` */
export async function describeModel(deps: ModelDeps, holder: KeyHolder, id: string): Promise<ModelEntry> {
  const embedding = (await embeddingModels(deps, holder)).find((one) => one.id === id);
  const { endpoint } = embedding ?? (await chooseModel(deps, holder, id));
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
  const having = endpoints.filter((_, index) => offers[index]);
  return onlyOne(
    id,
    having.map((endpoint) => ({ id: `${endpoint.name}/${id}`, endpoint, model: id })),
  );
}

/** @throws ApiError where several endpoints have the model, or none */
function onlyOne<Choice extends { id: string }>(id: string, choices: readonly Choice[]): Choice {
  const [only, another] = choices;
  if (!only) refuseModel(id);
  if (!another) return only;
  const ids = choices.map((one) => one.id).join(', ');
  return refuseModel(id, `Several endpoints have the model ${id}: name one of ${ids}.`);
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

function refuseModel(id: string, message = `The model ${id} is not there, or this key is not for it.`): never {
  throw new ApiError({ status: 404, type: 'invalid_request_error', code: 'model_not_found', message, param: 'model' });
}
