// REST handlers for conversations (docs/rest-compat.md, Conversations; Titles).
import { Id } from '@parley/schema/ids';
import { CONVERSATION_ID_REQUIRED } from '@parley/schema/reasons';
import * as z from 'zod';
import { refuse } from '../../platform/errors.ts';
import type { Api } from '../../router.ts';
import { asJson, asText, created, emptyOn, errorOn, plain, withoutBody } from '../responses.ts';
import { presentTagged, wholeConvo } from '../present/whole-convo.ts';
import { authed, byKey, type Call } from '../route.ts';
import { ConvoPage, ConvoTitle, DeletedConvos, WholeConvo } from '../shapes/convo.ts';
import { Failed, FailedOrTold } from '../shapes/shapes.ts';

const PAGE_SIZE = 25;

const TITLE_REQUIRED = 'title is required';
const Update = z.object(
  {
    arg: z
      .object(
        {
          conversationId: z.string(CONVERSATION_ID_REQUIRED).min(1, CONVERSATION_ID_REQUIRED),
          title: z.string(TITLE_REQUIRED).optional(),
          isArchived: z.boolean().optional(),
        },
        CONVERSATION_ID_REQUIRED,
      )
      .refine(({ title, isArchived }) => title !== undefined || isArchived !== undefined, {
        error: TITLE_REQUIRED,
        path: ['title'],
      }),
  },
  CONVERSATION_ID_REQUIRED,
);
const Clear = z
  .object({ arg: z.object({ conversationId: z.string().nullish(), source: z.string().nullish() }).optional() })
  .optional();
const Delete = z.object({
  arg: z.object({
    conversationId: z.string().nullish(),
    source: z.string().nullish(),
    thread_id: z.string().nullish(),
  }),
});
const Titled = z.object({ conversationId: z.string(CONVERSATION_ID_REQUIRED).min(1, CONVERSATION_ID_REQUIRED) });

export const convoRoutes = [
  authed('GET', '/api/convos', pageOfConvos, {
    summary: 'Conversations, those that changed last first',
    query: {
      pageNumber: 'From 1 on.',
      isArchived: '`true` for those in the archive alone.',
      tags: 'The name of a tag; may be given several times.',
    },
    answers: {
      200: asJson('Conversations without their messages, in at least one page.', ConvoPage),
      400: asJson('The page number is no whole number from 1 on.', Failed),
    },
    refused: errorOn(400),
    ...byKey,
  }),
  authed('GET', '/api/convos/:conversationId', oneConvo, {
    summary: 'A conversation with the ids of its messages',
    answers: {
      200: asJson('The conversation.', WholeConvo),
      404: withoutBody('It is not there, or is somebody else’s.'),
    },
    refused: emptyOn(404),
    ...byKey,
  }),
  authed('POST', '/api/convos/gen_title', newTitle, {
    summary: 'The title that a model has just given',
    description: 'Waits up to 2.5 s. A title is told once, within 120 s after it was given.',
    body: Titled,
    answers: { 200: asJson('The title.', ConvoTitle), 404: 'There is none.' },
    ...byKey,
  }),
  authed('POST', '/api/convos/update', updateConvo, {
    summary: 'Gives a title, or moves into the archive and out of it',
    description: 'A title has 1 to 255 characters.',
    body: Update,
    answers: { 201: asJson('The conversation with the ids of its messages.', WholeConvo) },
    ...byKey,
  }),
  authed('POST', '/api/convos/clear', clearConvos, {
    summary: 'Deletes one conversation, or all',
    description:
      'Without an id, `arg` or a body all are meant; with `source: "button"` and no id nothing is deleted. An id that cannot exist deletes nothing. What runs is stopped. All can be brought back for seven days.',
    body: Clear,
    answers: { 200: asText('Nothing was named.'), 201: asJson('How many were deleted.', DeletedConvos) },
    ...byKey,
  }),
  authed('DELETE', '/api/convos', deleteConvo, {
    summary: 'Deletes one conversation',
    body: Delete,
    answers: {
      200: asText('Nothing was named by a button.'),
      201: asJson('How many were deleted.', DeletedConvos),
      400: asJson('No conversation is named.', FailedOrTold),
    },
    ...byKey,
  }),
  authed('DELETE', '/api/convos/all', (api) => deleted(api, null), {
    summary: 'Deletes all conversations',
    answers: { 201: asJson('How many were deleted.', DeletedConvos) },
    ...byKey,
  }),
];

async function pageOfConvos(api: Api, { query, userId }: Call) {
  const pageNumber = Number(query.get('pageNumber') || 1);
  const isArchived = query.get('isArchived') === 'true';
  const folderIds = await foldersIn(api, query);
  const { convos, total } = await api.convos.page({ pageNumber, pageSize: PAGE_SIZE, isArchived, folderIds });
  return {
    conversations: await presentTagged(api, userId, convos),
    pages: Math.max(1, Math.ceil(total / PAGE_SIZE)),
    pageNumber,
    pageSize: PAGE_SIZE,
  };
}

/** The folders that `tags` names, of which there may be several, also with a comma between; null without any. */
async function foldersIn(api: Api, query: URLSearchParams): Promise<string[] | null> {
  const tags = new Set(query.getAll('tags').flatMap((tag) => [tag, tag.replace(/,$/, '')]));
  tags.delete('');
  if (tags.size === 0) return null;
  return (await api.folders.list()).filter(({ name }) => tags.has(name)).map(({ id }) => id);
}

async function oneConvo(api: Api, { params, userId }: Call<{ conversationId: string }>) {
  return wholeConvo(api, userId, await api.convos.byId(params));
}

/** A new title, or into the archive and out of it. */
async function updateConvo(api: Api, { body, userId }: Call): Promise<Response> {
  const { conversationId, title, isArchived } = Update.parse(body).arg;
  const renamed = title === undefined ? null : await api.convos.rename({ conversationId, title });
  const updated = isArchived === undefined ? renamed : await api.convos.update({ conversationId, isArchived });
  return created(WholeConvo, await wholeConvo(api, userId, updated ?? (await api.convos.byId({ conversationId }))));
}

/** An id that cannot exist has no title. */
async function newTitle(api: Api, { body }: Call) {
  const id = Id.safeParse(Titled.parse(body).conversationId).data;
  return id ? api.convos.title({ conversationId: id }) : refuse({ type: 'not_found', what: 'convo' });
}

/**
 * Deletes one conversation, or all when no id, no `arg` or no body is given. An empty id (a client bug) or a malformed
 * one deletes nothing.
 */
async function clearConvos(api: Api, { body }: Call): Promise<Response> {
  const { conversationId, source } = Clear.parse(body)?.arg ?? {};
  if (!conversationId && source === 'button') return plain('No conversationId provided');
  return deleted(api, conversationId ?? null);
}

/** Unlike `clear`, it never means all. */
async function deleteConvo(api: Api, { body }: Call): Promise<Response> {
  const { conversationId, source, thread_id: thread } = Delete.safeParse(body).data?.arg ?? {};
  if (conversationId) return deleted(api, conversationId);
  if (source === 'button') return plain('No conversationId provided');
  return Response.json(
    { error: thread ? 'no conversation of this thread' : 'no parameters provided' },
    { status: 400 },
  );
}

/** `null` deletes all. */
async function deleted(api: Api, conversationId: string | null): Promise<Response> {
  const removed = await remove(api, conversationId);
  const messages = { acknowledged: true, deletedCount: removed.deletedMessages };
  return created(DeletedConvos, { acknowledged: true, deletedCount: removed.deletedCount, messages });
}

/** `null` deletes all. */
async function remove(api: Api, conversationId: string | null) {
  if (conversationId === null) return api.convos.clear();
  // An empty id is more likely a client's bug than a request to delete all.
  if (conversationId === '') refuse({ type: 'invalid_input', text: 'conversationId: The id is empty' });
  const id = Id.safeParse(conversationId).data;
  return id ? api.convos.remove({ conversationId: id }) : { deletedCount: 0, deletedMessages: 0 };
}
