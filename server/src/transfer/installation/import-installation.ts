// Imports the database export of a whole installation: users, conversations, messages, presets, balances, files,
// assistants, actions and keys. Ids are kept or derived, so running it again, also after an interruption, adds only what is missing.
import { ExportedConvo } from '@parley/schema/transfer/exported';
import type { ImportItem } from '@parley/schema/transfer/results';
import { createSlices } from '../../platform/event-loop.ts';
import { readExported } from '../exported.ts';
import { nothingKept } from '../kept-files.ts';
import { prepareSource, type Prepared } from '../prepare.ts';
import { saveConvos } from '../save.ts';
import { importActions } from './actions.ts';
import { importAssistants } from './assistants.ts';
import { fileOf, openDocuments, readDocuments, type Document, type Place } from './documents.ts';
import { importFiles, type KeptFiles } from './files.ts';
import { assertFolder, countOthers } from './folder.ts';
import { importKeys, importPluginKeys } from './keys.ts';
import { indexMessages, type MessageIndex } from './message-index.ts';
import { importBalances, importPresets, importUsers } from './people.ts';
import { emptyReport, skip, type Count, type Report } from './report.ts';
import { foreseeOutcomes } from './dry-run.ts';
import type { People, Target } from './target.ts';

/** Limits of one transaction. */
const BATCH = { convos: 100, messages: 2000, bytes: 8_000_000 };
/** Transactions at once: the database works on one while the next is read. */
const AT_ONCE = 3;
const MESSAGES_AT_ONCE = 10_000;

/** @throws Error with one sentence, before anything is written */
export async function importInstallation(target: Target, folder: string): Promise<Report> {
  const report = emptyReport();
  await assertFolder(folder);
  const path = (collection: string) => fileOf(folder, collection);
  const people = await importUsers(target, folder, report);
  await importPresets(target, await path('presets'), people, report.presets);
  await importBalances(target, await path('balances'), people, report.balances);
  await importKeys(target, await path('keys'), people, report.keys);
  await importPluginKeys(target, await path('pluginauths'), people, report.pluginauths);
  const kept = await importFiles(target, folder, people, report.files);
  const paths = { assistants: await path('assistants'), agents: await path('agents') };
  const assistants = await importAssistants(target, { folder, people, kept }, paths, report);
  await importActions(target, await path('actions'), { people, assistants }, report.actions);
  await importConvos(target, folder, people, kept, report);
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
  kept: KeptFiles,
  report: Report,
): Promise<void> {
  const messagesPath = await fileOf(folder, 'messages');
  const index = await indexMessages(messagesPath);
  report.messages.read = index.read;
  skip(report.messages, 'not readable', index.unreadable);
  const messages = messagesPath === null ? null : openDocuments(messagesPath);
  const saver = createSaver(target, report);
  try {
    const path = await fileOf(folder, 'conversations');
    for await (const { document } of path === null ? [] : readDocuments(path)) {
      report.conversations.read += 1;
      const from = { index, readMessage: (place: Place) => messages?.read(place) ?? null, people, kept };
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
  readMessage: (place: Place) => Document | null;
  people: People;
  kept: KeptFiles;
}

async function readConvo(
  document: Document | null,
  { index, readMessage, people, kept }: From,
  report: Report,
): Promise<{ userId: string; item: Prepared } | null> {
  const id = document?.conversationId;
  if (!document || typeof id !== 'string') return leaveOut('not readable', 0);
  const places = index.placesOf(id);
  const userId = typeof document.user === 'string' ? people.get(document.user) : undefined;
  if (!userId) return leaveOut('its user is not in the export', places.length);
  const { data } = ExportedConvo.safeParse({ ...document, options: document, messages: places.map(readMessage) });
  if (!data) return leaveOut('not readable', places.length);
  const slices = createSlices(MESSAGES_AT_ONCE);
  const source = await readExported(data, slices, { ...nothingKept, file: (fileId) => kept(userId, fileId) });
  const size = places.reduce((all, { length }) => all + length, 0);
  const times = { createdAt: timeOf(document.createdAt), updatedAt: timeOf(document.updatedAt) };
  const isArchived = document.isArchived === true;
  const item = await prepareSource({ ...source, ...times, isArchived }, { index: 0, size }, Date.now(), slices);
  return 'reason' in item ? leaveOut(item.reason.replaceAll('_', ' '), places.length) : { userId, item };

  function leaveOut(why: string, messages: number): null {
    skip(report.conversations, why);
    skip(report.messages, `of a conversation that is skipped: ${why}`, messages);
    return null;
  }
}

function timeOf(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isFinite(time) ? time : null;
}

/** Saves conversations in batches of one user each, a few at once. */
function createSaver({ db, isDry, onProgress }: Target, report: Report) {
  const running = new Set<Promise<void>>();
  let owner = '';
  let batch: Prepared[] = [];
  let messages = 0;
  let bytes = 0;
  return { add, end, settle: () => Promise.allSettled(running) };

  async function add(userId: string, item: Prepared): Promise<void> {
    const isFull =
      batch.length >= BATCH.convos ||
      messages + item.messages.length > BATCH.messages ||
      bytes + item.size > BATCH.bytes;
    if (batch.length > 0 && (userId !== owner || isFull)) await flush();
    owner = userId;
    batch.push(item);
    messages += item.messages.length;
    bytes += item.size;
  }

  async function end(): Promise<void> {
    if (batch.length > 0) await flush();
    await Promise.all(running);
  }

  async function flush(): Promise<void> {
    const job = save(owner, batch).finally(() => running.delete(job));
    running.add(job);
    batch = [];
    messages = 0;
    bytes = 0;
    if (running.size >= AT_ONCE) await Promise.race(running);
  }

  async function save(userId: string, items: readonly Prepared[]): Promise<void> {
    const outcomes = await (isDry ? foreseeOutcomes : saveConvos)(db, userId, items, { keepsIds: true });
    for (const [at, item] of items.entries()) count(report, item, outcomes[at]);
    onProgress?.(report);
  }
}

function count(report: Report, item: Prepared, outcome: ImportItem | undefined): void {
  const all = item.messages.length;
  skip(report.messages, 'without an id or repeated', item.droppedMessages);
  if (outcome?.outcome === 'skipped') {
    const why = outcome.reason.replaceAll('_', ' ');
    skip(report.conversations, why);
    return skip(report.messages, `of a conversation that is skipped: ${why}`, all);
  }
  const added = outcome === undefined || outcome.outcome === 'present' ? 0 : outcome.messages;
  report.messages.written += added;
  report.messages.present += all - added;
  if (outcome?.outcome === 'imported') report.conversations.written += 1;
  else report.conversations.present += 1;
}
