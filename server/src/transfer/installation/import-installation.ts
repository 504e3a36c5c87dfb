// Imports the database export of a whole installation: users, conversations, messages, presets, balances, files,
// assistants, actions and keys. Ids are kept or derived, so running it again, also after an interruption, adds only what is missing.
import { ExportedConvo } from '@parley/schema/transfer/exported';
import { createSlices } from '../../platform/event-loop.ts';
import { mirrorsDatabase } from '../../search/mirror.ts';
import { readExported } from '../exported.ts';
import { nothingStored } from '../stored-links.ts';
import { prepareSource, type Prepared } from '../prepare.ts';
import { importActions } from './actions.ts';
import { importAssistants } from './assistants.ts';
import { findCollectionFile, openDocuments, readDocuments, type Document, type ByteRange } from './documents.ts';
import { importFiles, type StoredFiles } from './files.ts';
import { assertFolder, countOthers } from './folder.ts';
import { importKeys, importPluginKeys } from './people/keys.ts';
import { indexMessages, type MessageIndex } from './message-index.ts';
import { importBalances, importPresets, importUsers } from './people/people.ts';
import { emptyReport, skip, type Count, type Report } from './report.ts';
import { createSaver } from './save-batches.ts';
import type { People, Target } from './target.ts';

const MESSAGES_AT_ONCE = 10_000;

/** @throws Error with one sentence, before anything is written */
export async function importInstallation(target: Target, folder: string): Promise<Report> {
  const report = emptyReport();
  await assertFolder(folder);
  const path = (collection: string) => findCollectionFile(folder, collection);
  const people = await importUsers(target, folder, report);
  await importPresets(target, await path('presets'), people, report.presets);
  await importBalances(target, await path('balances'), people, report.balances);
  await importKeys(target, await path('keys'), people, report.keys);
  await importPluginKeys(target, await path('pluginauths'), people, report.pluginauths);
  const stored = await importFiles(target, folder, people, report.files);
  const paths = { assistants: await path('assistants'), agents: await path('agents') };
  const assistants = await importAssistants(target, { folder, people, kept: stored }, paths, report);
  await importActions(target, await path('actions'), { people, assistants }, report.actions);
  await importConvos(target, folder, people, stored, report);
  await countOnly(await path('transactions'), report.transactions, 'the balance contains them');
  await countOthers(folder, report);
  return report;
}

async function countOnly(path: string | null, count: Count, why: string): Promise<void> {
  for await (const _ of path === null ? [] : readDocuments(path)) {
    count.read += 1;
    skip(count, why);
  }
}

async function importConvos(
  target: Target,
  folder: string,
  people: People,
  stored: StoredFiles,
  report: Report,
): Promise<void> {
  const messagesPath = await findCollectionFile(folder, 'messages');
  const index = await indexMessages(messagesPath);
  report.messages.read = index.read;
  skip(report.messages, 'not readable', index.unreadable);
  const messages = messagesPath === null ? null : openDocuments(messagesPath);
  const saver = createSaver(target, { keepsIds: true, mirrorsDatabase: await mirrorsDatabase(target.db) }, report);
  try {
    const path = await findCollectionFile(folder, 'conversations');
    for await (const { document } of path === null ? [] : readDocuments(path)) {
      report.conversations.read += 1;
      const from = { index, readMessage: (place: ByteRange) => messages?.read(place) ?? null, people, kept: stored };
      const found = await readConvo(document, from, report);
      if (found) await saver.add(found.userId, found.item);
    }
    await saver.end();
  } finally {
    await saver.settle();
    messages?.close();
  }
  skip(report.messages, 'their conversation is not in the export', index.unclaimed());
}

interface From {
  index: MessageIndex;
  readMessage: (place: ByteRange) => Document | null;
  people: People;
  kept: StoredFiles;
}

async function readConvo(
  document: Document | null,
  { index, readMessage, people, kept }: From,
  report: Report,
): Promise<{ userId: string; item: Prepared } | null> {
  const id = document?.conversationId;
  if (!document || typeof id !== 'string') return leaveOut('not readable', 0);
  const places = index.rangesOf(id);
  const userId = typeof document.user === 'string' ? people.get(document.user) : undefined;
  if ((temporaryEnd(document).temporaryUntil ?? Infinity) <= Date.now())
    return leaveOut('temporary, and over', places.length);
  if (!userId) return leaveOut('its user is not in the export', places.length);
  const exported = { ...document, options: document, messages: places.map(readMessage) };
  const { data } = ExportedConvo.safeParse(exported);
  if (!data) return leaveOut('not readable', places.length);
  const slices = createSlices(MESSAGES_AT_ONCE);
  const source = await readExported(exported, data, slices, {
    ...nothingStored,
    file: (fileId) => kept(userId, fileId),
  });
  const size = places.reduce((all, { length }) => all + length, 0);
  const times = {
    createdAt: timeOf(document.createdAt),
    updatedAt: timeOf(document.updatedAt),
    ...temporaryEnd(document),
  };
  const isArchived = document.isArchived === true;
  const item = await prepareSource({ ...source, ...times, isArchived }, { index: 0, size }, Date.now(), slices);
  return 'reason' in item ? leaveOut(item.reason.replaceAll('_', ' '), places.length) : { userId, item };

  function leaveOut(why: string, messages: number): null {
    skip(report.conversations, why);
    skip(report.messages, `of a conversation that is skipped: ${why}`, messages);
    return null;
  }
}

/** When a temporary chat ends; nothing for one that stays. */
function temporaryEnd({ expiredAt }: Document): { temporaryUntil?: number } {
  const end = timeOf(expiredAt);
  return end === null ? {} : { temporaryUntil: end };
}

function timeOf(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isFinite(time) ? time : null;
}
