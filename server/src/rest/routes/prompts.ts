// REST handlers for prompts, as clients of 0.7.5 ask for them: a prompt here is a group there, and its versions are the
// prompts of the group, of which the newest is in use (docs/rest-compat.md, Prompts).
import { randomUUID } from 'node:crypto';
import { commandFrom, type Prompt, type PromptHead, type PromptVersion } from '@parley/schema/prompts/prompt-rules';
import * as z from 'zod';
import { refuse } from '../../platform/errors.ts';
import type { Api } from '../../router.ts';
import { asJson } from '../responses.ts';
import { authed, public_, type Call } from '../route.ts';
import { MadePrompt, PromptGroup, PromptGroupPage, RemovedPrompt, RestPrompt } from '../shapes/prompt.ts';
import { Told } from '../shapes/shapes.ts';

const PAGE_SIZE = 10;
const PAGE_MAX = 100;

const optional = z.string().nullish();
const Create = z.object({
  prompt: z.object({ prompt: z.string('prompt is required'), groupId: optional }),
  group: z.object({ name: optional, command: optional, category: optional, oneliner: optional }).nullish(),
});
const Change = z.object({ name: optional, command: optional, category: optional, oneliner: optional });

const GROUP = { 200: asJson('The prompt.', PromptGroup) };

export const promptRoutes = [
  public_('GET', '/api/prompts', versionsOf, {
    summary: 'The versions of a prompt, the newest first',
    query: { groupId: 'The prompt; without it, and without a session, there are none.' },
    answers: { 200: asJson('A list.', z.array(RestPrompt)) },
  }),
  authed('GET', '/api/prompts/all', async (api, { userId }) => presentAll(api, userId, await own(api)), {
    summary: 'Own prompts with their texts',
    answers: { 200: asJson('A list.', z.array(PromptGroup)) },
  }),
  authed('GET', '/api/prompts/groups', pageOfGroups, {
    summary: 'Own prompts by the page',
    query: { pageNumber: 'From 1 on.', pageSize: 'At most 100.', name: 'Words of titles.', category: 'A tag.' },
    answers: { 200: asJson('A page of them.', PromptGroupPage) },
  }),
  authed('GET', '/api/prompts/groups/:groupId', oneGroup, { summary: 'One prompt', answers: GROUP }),
  authed('PATCH', '/api/prompts/groups/:groupId', changeGroup, {
    summary: 'Changes the title, the command or the tag of a prompt',
    body: Change,
    answers: GROUP,
  }),
  authed('DELETE', '/api/prompts/groups/:groupId', removeGroup, {
    summary: 'Deletes a prompt; it can be brought back for seven days',
    answers: { 200: asJson('A message.', Told) },
  }),
  authed('POST', '/api/prompts', createPrompt, {
    summary: 'Makes a prompt, or with `groupId` a further version of one, which is in use from then on',
    body: Create,
    answers: { 200: asJson('The version and its prompt.', MadePrompt) },
  }),
  authed('GET', '/api/prompts/:promptId', oneVersion, {
    summary: 'One version of a prompt',
    answers: { 200: asJson('The version.', RestPrompt) },
  }),
  authed('PATCH', '/api/prompts/:promptId/tags/production', useVersion, {
    summary: 'Has a version be in use: its text becomes the newest version',
    answers: { 200: asJson('A message.', Told) },
  }),
  authed('DELETE', '/api/prompts/:promptId', removeVersion, {
    summary: 'Deletes a prompt by its only version',
    answers: { 200: asJson('What was deleted.', RemovedPrompt), 409: 'It has other versions, which stay.' },
  }),
];

/** `<prompt>~<version>`. */
const versionId = (id: string, n: number) => `${id}~${n}`;

function refOf(promptId: string): { id: string; n: number } {
  const [, id = '', n = ''] = /^([\da-f-]{36})~(\d{1,9})$/i.exec(promptId) ?? [];
  return id === '' ? refuse({ type: 'not_found', what: 'prompt' }) : { id, n: Number(n) };
}

async function own(api: Api): Promise<PromptHead[]> {
  return (await api.prompts.list()).filter(({ ownerName }) => ownerName === null);
}

async function read(api: Api, userId: string, id: string): Promise<Prompt> {
  const isId = z.uuid().safeParse(id).success;
  return isId ? api.prompts.read({ ownerId: userId, id }) : refuse({ type: 'not_found', what: 'prompt' });
}

async function presentAll(api: Api, userId: string, heads: readonly PromptHead[]): Promise<PromptGroup[]> {
  return Promise.all(heads.map(async ({ id }) => presentGroup(userId, await read(api, userId, id))));
}

async function pageOfGroups(api: Api, { query, userId }: Call): Promise<z.infer<typeof PromptGroupPage>> {
  const numberOf = (name: string, fallback: number) => Math.max(1, Math.trunc(Number(query.get(name))) || fallback);
  const pageSize = Math.min(PAGE_MAX, numberOf('pageSize', PAGE_SIZE));
  const pageNumber = numberOf('pageNumber', 1);
  const words = query.get('name')?.toLowerCase() ?? '';
  const tag = query.get('category') ?? '';
  const found = (await own(api)).filter(
    ({ title, tags }) => title.toLowerCase().includes(words) && (tag === '' || tags.includes(tag)),
  );
  const shown = found.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
  const pages = Math.max(1, Math.ceil(found.length / pageSize));
  return { promptGroups: await presentAll(api, userId, shown), pageNumber, pageSize, pages };
}

async function oneGroup(api: Api, { params, userId }: Call<{ groupId: string }>) {
  return presentGroup(userId, await read(api, userId, params.groupId));
}

async function versionsOf(api: Api, { query, userId }: Call): Promise<RestPrompt[]> {
  const id = query.get('groupId');
  if (userId === '' || !id) return [];
  await read(api, userId, id);
  return (await api.prompts.versions({ id })).map((version) => presentVersion(userId, id, version));
}

async function oneVersion(api: Api, { params, userId }: Call<{ promptId: string }>) {
  const { id, n } = refOf(params.promptId);
  const version = (await api.prompts.versions({ id })).find((one) => one.n === n);
  return version ? presentVersion(userId, id, version) : refuse({ type: 'not_found', what: 'prompt' });
}

async function createPrompt(api: Api, { body, userId }: Call): Promise<z.infer<typeof MadePrompt>> {
  const { prompt: given, group } = Create.parse(body);
  const before = given.groupId ? await read(api, userId, given.groupId) : null;
  const title = group?.name || before?.title || given.prompt.trim().split('\n', 1)[0]?.slice(0, 60) || 'Prompt';
  const saved = await api.prompts.save({
    id: before?.id ?? randomUUID(),
    command: before?.command ?? (group?.command || (await freeCommand(api, title))),
    title,
    body: given.prompt,
    tags: before?.tags ?? (group?.category ? [group.category] : []),
    presetId: before?.presetId ?? null,
    tools: before?.tools ?? [],
  });
  const [newest] = await api.prompts.versions({ id: saved.id });
  if (!newest) return refuse({ type: 'not_found', what: 'prompt' });
  return { prompt: presentVersion(userId, saved.id, newest), group: presentGroup(userId, saved) };
}

/** One of the title that no other prompt has. */
async function freeCommand(api: Api, title: string): Promise<string> {
  const taken = new Set((await own(api)).map(({ command }) => command));
  const wanted = commandFrom(title);
  let command = wanted;
  for (let n = 2; taken.has(command); n++) command = `${wanted.slice(0, 50)}-${n}`;
  return command;
}

async function changeGroup(api: Api, { params, body, userId }: Call<{ groupId: string }>) {
  const { name, command, category } = Change.parse(body);
  const before = await read(api, userId, params.groupId);
  const { id, presetId, tools, body: text, tags } = before;
  const changed = {
    title: name || before.title,
    command: command || before.command,
    tags: category ? [category, ...tags.slice(1)] : tags,
  };
  return presentGroup(userId, await api.prompts.save({ id, presetId, tools, body: text, ...changed }));
}

async function useVersion(api: Api, { params, userId }: Call<{ promptId: string }>) {
  const { id, n } = refOf(params.promptId);
  const { version } = await read(api, userId, id);
  if (n !== version) await api.prompts.restoreVersion({ id, n });
  return { message: 'Prompt production made successfully' };
}

async function removeGroup(api: Api, { params, userId }: Call<{ groupId: string }>) {
  const { id } = await read(api, userId, params.groupId);
  await api.prompts.remove({ id });
  return { message: 'Prompt group deleted successfully' };
}

async function removeVersion(api: Api, { params, userId }: Call<{ promptId: string }>) {
  const { id } = refOf(params.promptId);
  await read(api, userId, id);
  if ((await api.prompts.versions({ id })).length > 1)
    refuse({ type: 'conflict', text: 'The versions of a prompt are kept; delete the whole prompt instead.' });
  await api.prompts.remove({ id });
  return {
    prompt: 'Prompt deleted successfully',
    promptGroup: { message: 'Prompt group deleted successfully', id },
  };
}

function presentVersion(userId: string, groupId: string, { n, body, createdAt }: PromptVersion): RestPrompt {
  return {
    _id: versionId(groupId, n),
    groupId,
    author: userId,
    prompt: body,
    type: 'text',
    createdAt,
    updatedAt: createdAt,
  };
}

function presentGroup(userId: string, prompt: Prompt): PromptGroup {
  const { id, title, command, tags, uses, version, body, updatedAt, ownerName } = prompt;
  return {
    _id: id,
    name: title,
    command,
    oneliner: '',
    category: tags[0] ?? '',
    numberOfGenerations: uses,
    projectIds: [],
    productionId: versionId(id, version),
    productionPrompt: { prompt: body },
    author: userId,
    authorName: ownerName ?? '',
    createdAt: updatedAt,
    updatedAt,
  };
}
