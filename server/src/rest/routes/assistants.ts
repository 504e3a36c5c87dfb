// REST handlers for assistants (docs/rest-compat.md, Assistants).
import { CreateAssistant, UpdateAssistant } from '@parley/schema/assistants/assistant-inputs';
import * as z from 'zod';
import type { Api } from '../../router.ts';
import { actionName } from '../present/present-action.ts';
import { presentDocument, presentRestAssistant } from '../present/present-assistant.ts';
import { presentPlugin } from '../present/present-plugin.ts';
import { asJson, created } from '../responses.ts';
import { authed, type Call, type Refused } from '../route.ts';
import { AssistantDocument, AssistantList, DeletedAssistant, RestAssistant } from '../shapes/assistant.ts';
import { RestPlugin } from '../shapes/plugin.ts';
import { ToldMaybeFailed } from '../shapes/shapes.ts';

const PAGE_MAX = 100;

const { fileIds, tools: toolList, sources: _ofTheApp, ...shape } = CreateAssistant.shape;
/** The fields of the protocol, of which null means absent; clients send others along. */
const Fields = z.object({
  ...shape,
  tools: orAbsent(toolList),
  file_ids: orAbsent(fileIds),
  // Later clients name the endpoint that they show assistants at, which says nothing about the one that answers.
  endpoint: shape.endpoint.transform((name) => (name === 'assistants' ? undefined : name)),
});
const Changes = Fields.extend({ model: UpdateAssistant.shape.model });

/** Existing clients show what stands under `error`. */
const onUnsaved: Refused = ({ reason, status, text }) =>
  reason.type === 'unauthorized'
    ? null
    : Response.json({ error: text, message: text }, { status: status === 422 ? 500 : status });

const ASSISTANT = { 200: asJson('The assistant.', RestAssistant) };
const WRONG = asJson('What is wrong with it.', ToldMaybeFailed);
const UNSAVED = {
  400: WRONG,
  402: WRONG,
  403: WRONG,
  404: WRONG,
  409: WRONG,
  429: WRONG,
  500: WRONG,
  502: WRONG,
  503: WRONG,
  507: WRONG,
};

export const assistantRoutes = [
  authed('GET', '/api/assistants', listAssistants, {
    summary: 'Assistants of the person',
    query: {
      order: '`asc`, else the newest first.',
      limit: 'At most 100.',
      after: 'Those after this one.',
      before: 'Those before this one.',
    },
    answers: { 200: asJson('A page of them.', AssistantList) },
  }),
  authed('POST', '/api/assistants', createAssistant, {
    summary: 'Makes an assistant',
    body: Fields,
    answers: { 201: asJson('The assistant.', RestAssistant), ...UNSAVED },
    refused: onUnsaved,
  }),
  authed('GET', '/api/assistants/tools', listTools, {
    summary: 'Tools that may be named in `tools`',
    answers: { 200: asJson('A list in the shape of plugins.', z.array(RestPlugin)) },
  }),
  authed('GET', '/api/assistants/documents', listDocuments, {
    summary: 'What is kept beside the assistants',
    answers: { 200: asJson('A list of their avatars, files and actions.', z.array(AssistantDocument)) },
  }),
];

/** They stand after the paths that begin alike. */
export const oneAssistantRoutes = [
  authed('GET', '/api/assistants/:assistant_id', oneAssistant, { summary: 'One assistant', answers: ASSISTANT }),
  authed('PATCH', '/api/assistants/:assistant_id', updateAssistant, {
    summary: 'Changes an assistant',
    description: 'Without `tools` it has none; other fields that are left out stay.',
    body: Changes,
    answers: { ...ASSISTANT, ...UNSAVED },
    refused: onUnsaved,
  }),
  authed('DELETE', '/api/assistants/:assistant_id', removeAssistant, {
    summary: 'Deletes an assistant',
    answers: { 200: asJson('Which one it was.', DeletedAssistant) },
  }),
];

async function listAssistants(api: Api, { query }: Call): Promise<z.infer<typeof AssistantList>> {
  const limit = Number(query.get('limit') || PAGE_MAX);
  const { assistants, hasMore } = await api.assistants.list({
    order: query.get('order') === 'asc' ? 'asc' : 'desc',
    limit: Math.min(PAGE_MAX, Math.max(1, Math.trunc(limit) || PAGE_MAX)),
    after: query.get('after') || null,
    before: query.get('before') || null,
  });
  return {
    object: 'list',
    data: assistants.map(presentRestAssistant),
    first_id: assistants[0]?.assistantId ?? null,
    last_id: assistants.at(-1)?.assistantId ?? null,
    has_more: hasMore,
  };
}

type Ref = Call<{ assistant_id: string }>;

async function oneAssistant(api: Api, { params }: Ref) {
  return presentRestAssistant(await api.assistants.get({ assistantId: params.assistant_id }));
}

async function createAssistant(api: Api, { body }: Call) {
  const { file_ids: given, ...fields } = Fields.parse(body);
  return created(RestAssistant, presentRestAssistant(await api.assistants.create({ ...fields, fileIds: given })));
}

/** Tools that are left out are taken away, unlike other fields: existing clients send all of them. */
async function updateAssistant(api: Api, { params, body }: Ref) {
  const { file_ids: given, tools = [], ...fields } = Changes.parse(body);
  const { assistant_id: assistantId } = params;
  return presentRestAssistant(await api.assistants.update({ ...fields, tools, fileIds: given, assistantId }));
}

async function removeAssistant(api: Api, { params }: Ref): Promise<z.infer<typeof DeletedAssistant>> {
  await api.assistants.remove({ assistantId: params.assistant_id });
  return { id: params.assistant_id, object: 'assistant.deleted', deleted: true };
}

/**
 * The tools that can be named instead of given: plugins in the order of the store, then the seeing of images in their
 * shape. Any other tool of Parley's own list can be named, too, but existing clients expect only these.
 */
async function listTools(api: Api) {
  const [plugins, tools] = await Promise.all([api.plugins.list(), api.assistants.tools()]);
  const offered = new Set(tools.map(({ key }) => key));
  return [
    ...plugins.filter(({ key, isForAssistants }) => isForAssistants && offered.has(key)).map(presentPlugin),
    ...tools.filter(({ key }) => key === 'image_vision').map(presentOtherTool),
  ];
}

type Tool = Awaited<ReturnType<Api['assistants']['tools']>>[number];

function presentOtherTool({ key, from, description, icon }: Tool) {
  return { name: from.label, pluginKey: key, description, icon, authConfig: [] };
}

/** The documents of all assistants of the user. */
async function listDocuments(api: Api, { userId }: Call): Promise<AssistantDocument[]> {
  const all: Awaited<ReturnType<Api['assistants']['list']>>['assistants'] = [];
  const actions = await api.assistants.actions();
  const namesOf = (id: string) => actions.filter(({ assistantId }) => assistantId === id).map(actionName);
  for (let after: string | null = null; ;) {
    const page: Awaited<ReturnType<Api['assistants']['list']>> = await api.assistants.list({ after, limit: PAGE_MAX });
    all.push(...page.assistants);
    after = page.assistants.at(-1)?.assistantId ?? null;
    if (!page.hasMore || after === null)
      return all.map((one) => presentDocument(userId, one, namesOf(one.assistantId)));
  }
}

function orAbsent<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}
