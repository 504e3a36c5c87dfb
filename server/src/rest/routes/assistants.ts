// REST handlers for assistants (docs/rest-compat.md, Assistants).
import { CreateAssistant, UpdateAssistant } from '@parley/schema/assistants/assistant-inputs';
import * as z from 'zod';
import type { Api } from '../../router.ts';
import { actionName } from '../present/present-action.ts';
import { presentDocument, presentRestAssistant } from '../present/present-assistant.ts';
import { presentPlugin } from '../present/present-plugin.ts';
import { created } from '../responses.ts';
import type { Call, Route } from '../route.ts';

const PAGE_MAX = 100;

const { fileIds, tools: toolList, ...shape } = CreateAssistant.shape;
/** The fields of the protocol, of which null means absent; clients send others along. */
const Fields = z.object({
  ...shape,
  tools: orAbsent(toolList),
  file_ids: orAbsent(fileIds),
  // Later clients name the endpoint that they show assistants at, which says nothing about the one that answers.
  endpoint: shape.endpoint.transform((name) => (name === 'assistants' ? undefined : name)),
});
const Changes = Fields.extend({ model: UpdateAssistant.shape.model });

export async function listAssistants(api: Api, { query }: Call) {
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

export async function oneAssistant(api: Api, { params }: Ref) {
  return presentRestAssistant(await api.assistants.get({ assistantId: params.assistant_id }));
}

export async function createAssistant(api: Api, { body }: Call) {
  const { file_ids: given, ...fields } = Fields.parse(body);
  return created(presentRestAssistant(await api.assistants.create({ ...fields, fileIds: given })));
}

/** Tools that are left out are taken away, unlike other fields: existing clients send all of them. */
export async function updateAssistant(api: Api, { params, body }: Ref) {
  const { file_ids: given, tools = [], ...fields } = Changes.parse(body);
  const { assistant_id: assistantId } = params;
  return presentRestAssistant(await api.assistants.update({ ...fields, tools, fileIds: given, assistantId }));
}

export async function removeAssistant(api: Api, { params }: Ref) {
  await api.assistants.remove({ assistantId: params.assistant_id });
  return { id: params.assistant_id, object: 'assistant.deleted', deleted: true };
}

/**
 * The tools that can be named instead of given: plugins in the order of the store, then the seeing of images in their
 * shape. Any other tool of Parley's own list can be named, too, but existing clients expect only these.
 */
export async function listTools(api: Api) {
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
export async function listDocuments(api: Api, { userId }: Call): Promise<object[]> {
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

/** Existing clients show what stands under `error`. */
export const onUnsaved: Route['refused'] = ({ reason, status, text }) =>
  reason.type === 'unauthorized'
    ? null
    : Response.json({ error: text, message: text }, { status: status === 422 ? 500 : status });

function orAbsent<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}
