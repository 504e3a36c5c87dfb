// REST handlers for tags, which are the folders of a person (docs/rest-compat.md, Tags).
import { randomUUID } from 'node:crypto';
import type { Folder } from '@parley/schema/convos/folders';
import * as z from 'zod';
import { refuse } from '../../platform/errors.ts';
import type { Api } from '../../router.ts';
import { asJson } from '../responses.ts';
import { authed, type Call } from '../route.ts';
import { RestTag } from '../shapes/tag.ts';

const NAME = z.string('tag is required');
const Create = z.object({ tag: NAME, addToConversation: z.boolean().nullish(), conversationId: z.string().nullish() });
const Rename = z.object({ tag: NAME.nullish() });
const Chosen = z.object({ tags: z.array(z.string(), 'tags must be a list') });

const TAG = { 200: asJson('The tag.', RestTag) };
const TAGS = { 200: asJson('A list, in the order of the sidebar.', z.array(RestTag)) };

export const tagRoutes = [
  authed('GET', '/api/tags', listTags, { summary: 'Tags, which are the folders of the person', answers: TAGS }),
  authed('POST', '/api/tags', createTag, {
    summary: 'Makes a tag; a name that is there is the same tag',
    body: Create,
    answers: TAG,
  }),
  authed('POST', '/api/tags/rebuild', listTags, { summary: 'The same list', answers: TAGS }),
  authed('PUT', '/api/tags/convo/:conversationId', tagConvo, {
    summary: 'Gives a conversation one tag, or none',
    description: 'Of several the one is taken that the conversation did not have.',
    body: Chosen,
    answers: { 200: asJson('A list of its name.', z.array(z.string())) },
  }),
  authed('PUT', '/api/tags/:tag', renameTag, { summary: 'Renames a tag', body: Rename, answers: TAG }),
  authed('DELETE', '/api/tags/:tag', removeTag, { summary: 'Deletes a tag; its conversations stay', answers: TAG }),
];

/** In the order of the sidebar. */
async function listTags(api: Api, { userId }: Pick<Call, 'userId'>) {
  const folders = await api.folders.list();
  const sizes = await api.folders.sizes();
  return folders.map((folder, position) => presentTag(userId, folder, { count: sizes[folder.id] ?? 0, position }));
}

/** The same name again is the same tag. */
async function createTag(api: Api, call: Call) {
  const { tag, addToConversation, conversationId } = Create.parse(call.body);
  const known = await findFolder(api, tag.trim());
  const { id } = known ?? (await api.folders.create({ id: randomUUID(), name: tag }));
  if (addToConversation && conversationId)
    await api.convos.moveToFolder({ conversationIds: [conversationId], folderId: id });
  return tagOf(api, call, id);
}

async function renameTag(api: Api, call: Call<{ tag: string }>) {
  const { tag } = Rename.parse(call.body);
  const { id } = await assertFolder(api, call.params.tag);
  if (tag) await api.folders.update({ id, name: tag });
  return tagOf(api, call, id);
}

/** Its conversations stay. */
async function removeTag(api: Api, call: Call<{ tag: string }>) {
  const { id } = await assertFolder(api, call.params.tag);
  const removed = await tagOf(api, call, id);
  await api.folders.remove({ id });
  return removed;
}

/** A conversation is in one folder at most: of several tags, the one that it did not have is meant. */
async function tagConvo(api: Api, { params: { conversationId }, body }: Call<{ conversationId: string }>) {
  const { tags } = Chosen.parse(body);
  const { folderId } = await api.convos.byId({ conversationId });
  const chosen = (await api.folders.list()).filter(({ name }) => tags.includes(name));
  const folder = chosen.findLast(({ id }) => id !== folderId) ?? chosen[0];
  if (!folder && tags.length > 0) refuse({ type: 'not_found', what: 'folder' });
  await api.convos.moveToFolder({ conversationIds: [conversationId], folderId: folder?.id ?? null });
  return folder ? [folder.name] : [];
}

async function findFolder(api: Api, tag: string): Promise<Folder | undefined> {
  return (await api.folders.list()).find(({ name }) => name === tag);
}

async function assertFolder(api: Api, tag: string): Promise<Folder> {
  return (await findFolder(api, tag)) ?? refuse({ type: 'not_found', what: 'folder' });
}

async function tagOf(api: Api, call: Pick<Call, 'userId'>, id: string) {
  const tags = await listTags(api, call);
  return tags.find((tag) => tag._id === id) ?? refuse({ type: 'not_found', what: 'folder' });
}

function presentTag(user: string, { id, name }: Folder, facts: { count: number; position: number }): RestTag {
  return { _id: id, user, tag: name, description: '', ...facts };
}
