// Conversations and their messages, which are read where the index finds them.
import { ExportedConvo } from '@parley/schema/transfer/exported';
import { createSlices } from '../../platform/event-loop.ts';
import { mirrorsDatabase } from '../../search/mirror.ts';
import { readExported } from '../exported.ts';
import { prepareSource, type Prepared } from '../prepare.ts';
import type { BroughtAssistants } from './assistants.ts';
import { findCollectionFile, openDocuments, readDocuments, type Document, type ByteRange } from './documents.ts';
import type { StoredFiles } from './files.ts';
import { noteFields } from './field-census.ts';
import {
  folderOfTags,
  tagsLeft,
  withAssistant,
  withFeedbackAndSources,
  withModelOfAgent,
  type Bookmarks,
} from './reference-convo.ts';
import { skip, type Report } from './report.ts';
import { createSaver } from './save-batches.ts';
import type { People, Target } from './target.ts';

const MESSAGES_AT_ONCE = 10_000;

/** What conversations name. */
interface Links {
  people: People;
  kept: StoredFiles;
  assistants: BroughtAssistants;
  /** By people here. */
  bookmarks: ReadonlyMap<string, Bookmarks>;
}

export async function importConvos(target: Target, folder: string, links: Links, report: Report): Promise<void> {
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
      const from = { ...links, index, readMessage: (place: ByteRange) => messages?.read(place) ?? null };
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

interface From extends Links {
  index: MessageIndex;
  readMessage: (place: ByteRange) => Document | null;
}

async function readConvo(
  document: Document | null,
  { index, readMessage, people, kept, assistants, bookmarks }: From,
  report: Report,
): Promise<{ userId: string; item: Prepared } | null> {
  const id = document?.conversationId;
  if (!document || typeof id !== 'string') return leaveOut('not readable', 0);
  const places = index.rangesOf(id);
  const userId = typeof document.user === 'string' ? people.get(document.user) : undefined;
  if ((temporaryEnd(document).temporaryUntil ?? Infinity) <= Date.now())
    return leaveOut('temporary, and over', places.length);
  if (!userId) return leaveOut('its user is not in the export', places.length);
  const exported = exportedOf(document, places.map(readMessage), { assistants, report });
  const { data } = ExportedConvo.safeParse(exported);
  if (!data) return leaveOut('not readable', places.length);
  const slices = createSlices(MESSAGES_AT_ONCE);
  const source = await readExported(exported, data, slices, {
    file: (fileId) => kept(userId, fileId),
    // An assistant has its id here already.
    assistant: () => undefined,
  });
  noteConvo(report, document, source.settings);
  const size = places.reduce((all, { length }) => all + length, 0);
  const facts = { ...factsOf(document), ...folderOfTags(document, bookmarks.get(userId) ?? new Map()) };
  const item = await prepareSource({ ...source, ...facts }, { index: 0, size }, Date.now(), slices);
  return 'reason' in item ? leaveOut(item.reason.replaceAll('_', ' '), places.length) : { userId, item };

  function leaveOut(why: string, messages: number): null {
    skip(report.conversations, why);
    skip(report.messages, `of a conversation that is skipped: ${why}`, messages);
    return null;
  }
}

/** What exported files do not have. */
function factsOf(document: Document) {
  const { createdAt, updatedAt, isArchived } = document;
  return {
    createdAt: timeOf(createdAt),
    updatedAt: timeOf(updatedAt),
    isArchived: isArchived === true,
    ...temporaryEnd(document),
  };
}

/** The conversation as an exported file has it. */
function exportedOf(
  document: Document,
  found: (Document | null)[],
  { assistants, report }: { assistants: BroughtAssistants; report: Report },
): Document {
  const convo = withAssistant(document, assistants);
  const messages = found.map((message) => {
    if (message) noteFields(report.fields, 'messages', message);
    return message && withFeedbackAndSources(withModelOfAgent(message, document, assistants));
  });
  return { ...convo, options: convo, messages };
}

function noteConvo({ fields, conversationtags }: Report, document: Document, settings: object): void {
  noteFields(fields, 'conversations', document, settings);
  skip(conversationtags, 'further bookmarks of a conversation, which has one folder', tagsLeft(document));
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

// Where the messages of each conversation are in their file: a few bytes for each, so that millions fit in memory.
interface MessageIndex {
  read: number;
  /** Messages that are not valid JSON or name no conversation. */
  unreadable: number;
  rangesOf(conversationId: string): ByteRange[];
  /** Messages whose conversation nobody asked for. */
  unclaimed(): number;
}

async function indexMessages(path: string | null): Promise<MessageIndex> {
  const numbers = new Map<string, number>();
  const of: number[] = [];
  const offsets: number[] = [];
  const lengths: number[] = [];
  let read = 0;
  let unreadable = 0;
  for await (const { document, offset, length } of path === null ? [] : readDocuments(path)) {
    read += 1;
    const id = document?.conversationId;
    if (typeof id !== 'string') {
      unreadable += 1;
      continue;
    }
    const number = numbers.get(id) ?? numbers.size;
    numbers.set(id, number);
    of.push(number);
    offsets.push(offset);
    lengths.push(length);
  }
  const { starts, order } = sortByConvo(of, numbers.size);
  let claimed = 0;
  return { read, unreadable, rangesOf: placesOf, unclaimed: () => read - unreadable - claimed };

  function placesOf(conversationId: string): ByteRange[] {
    const number = numbers.get(conversationId);
    if (number === undefined) return [];
    numbers.delete(conversationId);
    const places: ByteRange[] = [];
    for (const at of order.subarray(starts[number], starts[number + 1]))
      places.push({ offset: offsets[at] ?? 0, length: lengths[at] ?? 0 });
    claimed += places.length;
    return places;
  }
}

/** A counting sort: messages keep their order within a conversation. */
function sortByConvo(of: readonly number[], convos: number): { starts: Uint32Array; order: Uint32Array } {
  const starts = new Uint32Array(convos + 1);
  for (const convo of of) starts[convo + 1] = (starts[convo + 1] ?? 0) + 1;
  for (let convo = 0; convo < convos; convo += 1) starts[convo + 1] = (starts[convo + 1] ?? 0) + (starts[convo] ?? 0);
  const next = starts.slice();
  const order = new Uint32Array(of.length);
  for (const [at, convo] of of.entries()) {
    const position = next[convo] ?? 0;
    order[position] = at;
    next[convo] = position + 1;
  }
  return { starts, order };
}
