// A person who has something of everything that travels, and the rows of it as another account can have them.
import { randomUUID } from 'node:crypto';
import { allTables } from '@parley/db/all-tables';
import type { AskInput } from '@parley/schema/chat/ask';
import type { FinalEvent } from '@parley/schema/generation/events';
import { register, travelling, type TravellingTable } from '@parley/schema/transfer/register/register';
import type { MemoryScope } from '@parley/schema/settings/memory-mode';
import { isoTime } from '@parley/server/platform/iso-time';
import { saveAssistantAvatar } from '@parley/server/assistants/avatar';
import { keepFile } from '@parley/server/files/attach-files';
import { saveAvatar } from '@parley/server/files/avatar';
import { presentAttachment } from '@parley/server/files/present';
import { withArrival } from '@parley/server/storage/arrivals';
import { sql, type SQL } from 'drizzle-orm';
import sharp from 'sharp';
import { exchange, followUp, question, readAll } from '../../support/exchange.ts';
import type { Browser, HttpClients } from '../../support/http-clients.ts';
import { keepTestFile } from '../../support/uploads.ts';

export const env = { OPENAI_MODELS: 'gpt-4,fake:echo,fake:plain', TITLE_CONVO: 'false' };

const document = JSON.stringify({
  openapi: '3.0.0',
  info: { title: 'Kites', version: '1' },
  servers: [{ url: 'https://kites.example.com/v1' }],
  paths: { '/kites': { get: { operationId: 'listKites', summary: 'All kites' } } },
});

/** The API key of the action, which no archive may have. */
export const SECRET = 'kite-secret-4711';

/** Does what makes a row of each table that travels, and of those that do not. */
export async function liveFully(here: HttpClients, alice: Browser): Promise<void> {
  const { services } = here;
  const { api, userId } = alice;
  const ask = (input: AskInput) => exchange(services, userId, input);
  await api.settings.set.mutate({ theme: 'dark', textSize: 'large' });
  const assistantId = await makeAssistant(here, alice);
  await givePictures(here, alice, assistantId);
  const preset = await api.presets.save.mutate({
    title: 'Careful',
    endpoint: 'openAI',
    model: 'gpt-4',
    settings: { temperature: 0.2 },
    isDefault: true,
  });
  const byAssistant = { title: 'By the poet', endpoint: 'assistants', model: null };
  await api.presets.save.mutate({ ...byAssistant, settings: { assistant_id: assistantId }, order: 3 });
  const folder = { name: 'Birds', color: 'teal', instructions: 'Be brief', presetId: preset.presetId } as const;
  const { id: folderId } = await api.folders.create.mutate({ id: randomUUID(), ...folder });
  await api.folders.create.mutate({ id: randomUUID(), name: 'Empty' });
  await makePrompts(alice, preset.presetId);
  await makeSkills(alice);

  const attached = await keepTestFile(services.deps, userId, { name: 'birds.txt', text: 'Kites nest in trees' });
  const target = { kind: 'send', messageId: randomUUID(), parentMessageId: null, text: 'Branches' } as const;
  const first = await ask(question('', { target: { ...target, files: [attached.id] } }));
  const { conversationId } = first.convo;
  await ask(question('', { conversationId, target: { kind: 'regenerate', parentMessageId: first.request.messageId } }));
  const later = await ask(followUp('And then?', first));
  await api.messages.rate.mutate({ conversationId, messageId: later.reply.messageId, rating: 1 });
  await api.convos.rename.mutate({ conversationId, title: 'A. Branches' });
  await api.convos.moveToFolder.mutate({ conversationIds: [conversationId], folderId });
  const forkId = randomUUID();
  await api.convos.fork.mutate({ conversationId, messageId: first.reply.messageId, forkId });
  await api.convos.rename.mutate({ conversationId: forkId, title: 'B. Fork' });
  const sideBySide = await askSeveral(here, alice);
  await setPlaces(here, alice, first, { forkId, sideBySide });

  const own = await keepTestFile(services.deps, userId, { name: 'kept.txt', text: 'mine' });
  await keepFile(services.deps.db, userId, own);
  await api.folders.setFiles.mutate({ folderId, fileIds: [own.id] });
  const set = await api.files.sets.save.mutate({ id: randomUUID(), name: 'Birds', fileIds: [own.id] });
  const sources = [
    { kind: 'folder', id: folderId },
    { kind: 'set', id: set.id },
  ] as const;
  await api.assistants.update.mutate({ assistantId, sources: [...sources] });
  await api.folders.update.mutate({ id: folderId, tools: ['calculator'], setIds: [set.id] });
  const editedAt = new Date().toISOString();
  const file = presentAttachment(attached);
  await api.drafts.save.mutate({ key: conversationId, text: 'Not sent yet', files: [file], editedAt, basedOn: 0 });
  await api.drafts.save.mutate({ key: 'new', text: 'A new thought', editedAt, basedOn: 0 });
  await api.queue.add.mutate({ id: randomUUID(), conversationId, text: 'Ask this next', files: [file] });
  await api.queue.hold.mutate({ conversationId, isHeld: true });
  const daily = { title: 'Daily', text: 'What is new?', target: { endpoint: 'openAI', model: 'gpt-4', settings: {} } };
  const rule = { cron: '0 7 * * 1-5', timeZone: 'Europe/Berlin', folderId, files: [file] };
  await api.schedules.save.mutate({ id: randomUUID(), ...daily, ...rule });
  const once = { at: '2100-01-01T08:00:00.000Z', timeZone: 'UTC', convoId: conversationId };
  const byPoet = { endpoint: 'assistants', settings: { assistant_id: assistantId } };
  await api.schedules.save.mutate({ id: randomUUID(), ...daily, title: 'Once', target: byPoet, ...once });
  await remember(alice, { messageId: later.reply.messageId, folderId, assistantId });
  await leaveBehind(here, alice, conversationId);
}

/** A sentence of each scope, one of them from a reply. */
async function remember(
  { api }: Browser,
  { folderId, assistantId, ...from }: Record<'messageId' | 'folderId' | 'assistantId', string>,
): Promise<void> {
  await api.memories.setMode.mutate({ mode: 'on' });
  const save = (scope: MemoryScope, text: string) =>
    api.memories.save.mutate({ id: randomUUID(), scope, text, ...(scope === '' && { from }) });
  await save('', 'I keep kites');
  await save(`folder:${folderId}`, 'Birds are counted in spring');
  await save(`assistant:${assistantId}`, 'Sonnets, please');
  await api.memories.setMode.mutate({ mode: 'off' });
}

async function makeAssistant({ services }: HttpClients, { api, userId }: Browser): Promise<string> {
  const { id } = await keepTestFile(services.deps, userId, { name: 'verses.txt', text: 'A kite is a bird' });
  const { assistantId } = await api.assistants.create.mutate({
    name: 'Poet',
    description: 'Writes verse',
    instructions: 'Answer in verse.',
    endpoint: 'openAI',
    model: 'fake:echo',
    tools: [
      { type: 'retrieval' },
      { type: 'function', function: { name: 'mcp:notes', parameters: { tools: ['read', 'write'] } } },
    ],
    metadata: { conversation_starters: ['A poem about kites?'] },
    fileIds: [id],
    isShared: true,
  });
  const auth = { type: 'service_http', authorizationType: 'bearer', customAuthHeader: null } as const;
  await api.actions.save.mutate({ assistantId, rawSpec: document, auth, apiKey: SECRET });
  return assistantId;
}

/** To the account and to the assistant. */
async function givePictures({ services: { deps } }: HttpClients, { userId }: Browser, id: string): Promise<void> {
  const draw = (path: string, background: string) =>
    sharp({ create: { width: 300, height: 200, channels: 3, background } })
      .png()
      .toFile(path);
  await withArrival(deps.config, async (path) => {
    await draw(path, '#284');
    await saveAvatar(deps, userId, path, 'user');
    await draw(path, '#a33');
    await saveAssistantAvatar(deps, userId, id, path);
  });
}

async function makePrompts({ api, userId }: Browser, presetId: string): Promise<void> {
  const id = randomUUID();
  const prompt = { id, command: 'report', title: 'Report', tags: ['work', 'weekly'], presetId, tools: ['calculator'] };
  for (const body of ['A report on {{topic}}', 'A short report on {{topic}} for {{reader:Ada}}'])
    await api.prompts.save.mutate({ ...prompt, body });
  await api.prompts.mark.mutate({ ownerId: userId, id, isFavorite: true, isUsed: true });
  await api.prompts.share.mutate({ id, isShared: true });
  await api.prompts.save.mutate({ id: randomUUID(), command: 'plain', title: 'Plain', body: 'Just say it' });
}

async function makeSkills({ api }: Browser): Promise<void> {
  const id = randomUUID();
  const skill = { id, name: 'invoices', description: 'Writes invoices' };
  for (const body of ['Ask for the customer.', 'Ask for the customer and the date.'])
    await api.skills.save.mutate({ ...skill, body });
  const content = Buffer.from('print("invoice")').toString('base64');
  await api.skills.putFile.mutate({ id, path: 'scripts/invoice.py', content });
  await api.skills.share.mutate({ id, isShared: true });
}

/** One chat whose answers stand side by side, below a question of which one answer was chosen. */
async function askSeveral({ services }: HttpClients, { api, userId }: Browser): Promise<string> {
  const conversationId = randomUUID();
  let parents: (string | null)[] = [null, null];
  for (const text of ['Which is better?', 'And now?']) {
    const messageIds = [randomUUID(), randomUUID()];
    const asks = ['fake:plain', 'fake:echo'].map((model, place) => ({
      generationId: randomUUID(),
      replyId: randomUUID(),
      endpoint: 'openAI',
      model,
      settings: { temperature: place === 0 ? 0.4 : 0.6 },
      target: {
        kind: 'send' as const,
        messageId: (parents[place] === null || parents[0] === parents[1] ? messageIds[0] : messageIds[place]) ?? '',
        parentMessageId: parents[place] ?? null,
        text,
      },
    }));
    await api.messages.askMany.mutate({ conversationId, asks });
    for (const { generationId } of asks) await readAll(services, userId, generationId);
    if (text === 'And now?') break;
    const chosen = asks[1]?.replyId ?? '';
    await api.compare.goOn.mutate({ conversationId, replyId: chosen });
    parents = [chosen, chosen];
  }
  await api.convos.rename.mutate({ conversationId, title: 'C. Side by side' });
  return conversationId;
}

/** Pins in an order that is not that of their times, and marks. */
async function setPlaces(
  { services }: HttpClients,
  { api, userId }: Browser,
  first: FinalEvent,
  { forkId, sideBySide }: { forkId: string; sideBySide: string },
): Promise<void> {
  const { conversationId } = first.convo;
  for (const id of [conversationId, forkId, sideBySide])
    await api.convos.update.mutate({ conversationId: id, isPinned: true });
  await api.convos.arrangePins.mutate({ conversationIds: [sideBySide, conversationId, forkId] });
  await api.convos.update.mutate({ conversationId: forkId, isUnread: true });
  await api.convos.update.mutate({ conversationId: sideBySide, isUnread: false });
  const { convo } = await exchange(services, userId, question('Of long ago', { model: 'gpt-4' }));
  await api.convos.rename.mutate({ conversationId: convo.conversationId, title: 'D. Archived' });
  await api.convos.update.mutate({ conversationId: convo.conversationId, isArchived: true, isUnread: false });
}

/** What an export leaves out. */
async function leaveBehind({ services }: HttpClients, { api, userId }: Browser, conversationId: string): Promise<void> {
  await api.shares.create.mutate({ conversationId, leafId: null });
  const { convo } = await exchange(services, userId, question('In the trash', { model: 'gpt-4' }));
  await api.convos.remove.mutate({ conversationId: convo.conversationId });
  const id = randomUUID();
  await api.prompts.save.mutate({ id, command: 'gone', title: 'Gone', body: 'In the trash, too' });
  await api.prompts.remove.mutate({ id });
  const skillId = randomUUID();
  await api.skills.save.mutate({ id: skillId, name: 'gone', description: 'Gone', body: 'In the trash, too' });
  await api.skills.remove.mutate({ id: skillId });
}

/** Rows that are exported, and in which order they are compared: by what a person would know them by. */
const ROWS: Record<TravellingTable, { where?: SQL; order: SQL }> = {
  folders: { order: sql`name` },
  presets: { order: sql`title` },
  assistants: { where: sql`deleted_at is null`, order: sql`name` },
  actions: { order: sql`domain` },
  files: { order: sql`name, exists (select 1 from file_uses where file_id = files.id and ref = files.user_id::text)` },
  fileSets: { order: sql`name` },
  fileUses: {
    where: sql`kind in ('owner', 'avatar', 'folder', 'set')`,
    order: sql`kind, ref = user_id::text, (select name from files where files.id = file_id limit 1)`,
  },
  convos: { where: sql`deleted_at is null and temporary_until is null`, order: sql`title` },
  messages: {
    where: sql`deleted_at is null and convo_id in (select id from convos where deleted_at is null)`,
    order: sql`(select title from convos where convos.id = convo_id limit 1), seq`,
  },
  drafts: { where: sql`text <> ''`, order: sql`text` },
  queuedAsks: { order: sql`position` },
  schedules: { order: sql`title` },
  prompts: { where: sql`deleted_at is null`, order: sql`command` },
  promptVersions: {
    where: sql`prompt_id in (select id from prompts where deleted_at is null)`,
    order: sql`(select command from prompts where prompts.id = prompt_id limit 1), n`,
  },
  promptMarks: { order: sql`prompt_id` },
  skills: { where: sql`deleted_at is null`, order: sql`name` },
  skillFiles: {
    where: sql`skill_id in (select id from skills where deleted_at is null)`,
    order: sql`path`,
  },
  skillVersions: {
    where: sql`skill_id in (select id from skills where deleted_at is null)`,
    order: sql`(select name from skills where skills.id = skill_id limit 1), n`,
  },
  memories: { order: sql`text` },
  users: { order: sql`id` },
};

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|asst_[A-Za-z0-9]{24}/g;

/**
 * All columns of a person that travel, by table. Each id is replaced by the place where it is first named, so that the
 * rows of two accounts are equal if what names what is equal.
 */
export async function travellingRows({ services }: HttpClients, userId: string): Promise<Record<string, unknown[]>> {
  const names = new Map<string, string>([[userId, 'owner']]);
  const all: Record<string, unknown[]> = {};
  for (const name of Object.keys(ROWS) as TravellingTable[]) {
    const { where = sql`true`, order } = ROWS[name];
    const table = allTables[name];
    const own = name === 'users' ? sql`id = ${userId}` : sql`user_id = ${userId}`;
    const rows: Record<string, unknown>[] = await services.deps.db.query
      .select()
      .from(table)
      .where(sql`${own} and ${where}`)
      .orderBy(order);
    all[name] = rows.map((row) => {
      const kept = travelling(name).map((column) => [column, valueOf(column, row[column])]);
      return JSON.parse(withNames(JSON.stringify(Object.fromEntries(kept)), names)) as unknown;
    });
  }
  return all;
}

/** A file that expires does so some time after its import. */
function valueOf(column: string, value: unknown): unknown {
  if (column === 'expiresAt') return value !== null;
  return column.endsWith('At') && typeof value === 'string' ? isoTime(value) : value;
}

function withNames(text: string, names: Map<string, string>): string {
  return text.replaceAll(ID, (id) => {
    const name = names.get(id) ?? `id ${names.size}`;
    names.set(id, name);
    return name;
  });
}

/** The tables of which something travels. */
export const travellingTables = Object.entries(register).flatMap(([name, declared]) =>
  'columns' in declared ? [name] : [],
);
