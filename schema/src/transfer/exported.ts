// Parses conversations exported by Parley or by the reference system: the same names, Parley's with some more.
import * as z from 'zod';
import { cleanText } from '../clean-text.ts';
import { endpointTable } from '../catalog/endpoints.ts';
import { PICTURE_QUALITIES, PICTURE_SIZES, SOURCES_MAX } from '../pictures/models.ts';
import type { Usage as StoredUsage } from '../catalog/usage.ts';
import { ExportedFolder } from '../convos/folders.ts';
import { NAMED_ONLY } from '../files/documents.ts';
import type { Citation as StoredCitation, ContextRecord, ImagePart, PassagePosition } from '../messages/messages.ts';
import {
  Flag,
  maybe,
  MaybeId,
  MaybeName,
  MaybeText,
  MaybeTime,
  MaybeTitle,
  orNull,
  SourceId,
  Unknowns,
} from './fields.ts';
import { typedKeys, withoutUndefined } from '../entries.ts';

const MaybeEndpointType = orNull(z.enum(typedKeys(endpointTable)));

const Options = z.record(z.string().max(64), z.unknown());

export const ExportedConvo = z
  .object({
    conversationId: SourceId,
    title: MaybeTitle,
    endpoint: MaybeName,
    /** These five stand in exports of everything only. */
    createdAt: MaybeTime,
    updatedAt: MaybeTime,
    isArchived: Flag,
    isPinned: Flag,
    folder: maybe(ExportedFolder),
    options: maybe(Options),
    /** A list in the order of the thread … */
    messages: z.array(z.unknown()).optional(),
    /** … or the first messages, each with its answers as `children`. */
    messagesTree: z.array(z.unknown()).optional(),
  })
  .refine(({ messages, messagesTree }) => messages !== undefined || messagesTree !== undefined);
export type ExportedConvo = z.infer<typeof ExportedConvo>;

export const ExportedOptions = z.object({ model: MaybeName, endpointType: MaybeEndpointType });

const count = z.int().min(0).max(2_000_000_000);

/** In milliseconds. */
const duration = maybe(count);

const rate = z.number().min(0).max(2_000_000_000);
const Usage = z
  .object({
    input: count,
    cachedRead: maybe(count),
    cachedWrite: maybe(count),
    output: count,
    reasoning: maybe(count),
    estimated: z.boolean().exactOptional(),
    rates: maybe(
      z
        .object({ prompt: rate, completion: rate, cachedRead: maybe(rate), cachedWrite: maybe(rate) })
        .transform(withoutUndefined),
    ),
    tookMs: duration,
  })
  .transform(withoutUndefined);
const FileName = z.string().max(256).overwrite(cleanText);
const place = z.object({
  n: count,
  page: count.nullable(),
  last: count.exactOptional(),
  number: count.exactOptional(),
});
const places = z.array(place).max(100);
const whole = { fileId: FileName, name: FileName, shown: z.literal('whole') };
const ContextFile = z.discriminatedUnion('shown', [
  z.object({ ...whole, passages: maybe(places) }).transform(withoutUndefined),
  z.object({ fileId: FileName, name: FileName, shown: z.literal('passages'), passages: places }),
  z.object({ fileId: FileName, name: FileName, shown: z.literal('name'), why: z.enum(NAMED_ONLY) }),
]);
const ContextImage = z
  .object({
    fileId: FileName,
    name: maybe(FileName.min(1)),
    width: count,
    height: count,
    detail: maybe(z.enum(['low', 'auto', 'high'])),
    tokens: count,
  })
  .transform(withoutUndefined);
const Picture = z
  .object({
    n: count,
    size: z.enum(PICTURE_SIZES),
    quality: z.enum(PICTURE_QUALITIES),
    from: z.array(SourceId).max(SOURCES_MAX),
    maskFileId: maybe(SourceId),
  })
  .transform(withoutUndefined);
const Context = z
  .object({
    window: count,
    included: count,
    omitted: count,
    tokens: count.exactOptional(),
    reserve: count.exactOptional(),
    instructions: count.exactOptional(),
    personal: maybe(z.enum(['whole', 'cut', 'none'])),
    summary: z.object({ messages: count, tokens: count }).exactOptional(),
    summaryFailed: z.literal(true).exactOptional(),
    files: maybe(z.array(ContextFile).max(1000)),
    images: maybe(z.array(ContextImage).max(1000)),
    /** Ids of the file, which change on import. */
    oldestId: maybe(SourceId),
    memories: maybe(z.array(SourceId).max(1000)),
    assistantId: maybe(SourceId),
    sharedFolder: z.literal(true).exactOptional(),
    picture: maybe(Picture),
  })
  .transform(withoutUndefined);
const FinishReason = z.enum(['stop', 'length', 'content_filter', 'tool_calls', 'incomplete']);

export const ExportedMessage = z.object({
  messageId: SourceId,
  parentMessageId: MaybeId,
  sender: MaybeName,
  text: MaybeText,
  isCreatedByUser: Flag,
  isEdited: Flag,
  error: Flag,
  unfinished: Flag,
  endpoint: MaybeName,
  endpointType: MaybeEndpointType,
  model: MaybeName,
  finish_reason: orNull(FinishReason),
  usage: orNull(Usage),
  context: orNull(Context),
  rating: maybe(z.union([z.literal(1), z.literal(-1)])),
  reason: z.unknown().optional(),
  createdAt: MaybeTime,
  updatedAt: MaybeTime,
  /** Parley's: the parts of a message that is more than text. */
  parts: maybe(z.array(z.unknown())),
  /** The reference system's, for its assistants. */
  content: maybe(z.array(z.unknown())),
  /** The reference system's, for its plugins. */
  plugins: Unknowns,
  plugin: z.unknown().optional(),
  /** The reference system's attachments. */
  files: Unknowns,
  tokenCount: orNull(count),
  children: Unknowns,
});
export type ExportedMessage = z.infer<typeof ExportedMessage>;

// A field that a type gains and no file could bring back does not compile here.
((name) => name) satisfies (name: keyof StoredUsage) => keyof z.output<typeof Usage>;
((name) => name) satisfies (name: keyof ContextRecord) => keyof z.output<typeof Context>;
((name) => name) satisfies (name: keyof PassagePosition) => keyof z.output<typeof place>;

const text = z.string().overwrite(cleanText);
const name = z.string().max(256).overwrite(cleanText);

/** An image path of Parley; no other address is ever fetched. */
const imagePath = z
  .string()
  .max(1_000)
  .regex(/^\/images\/(?!.*\.\.)[\w./-]+$/);

const filePath = z
  .string()
  .max(1_000)
  .regex(/^\/api\/files\/download\/(?!.*\.\.)[\w./-]+$/);

/** Of a file of the person who exported it: the importer may not have it. */
const Citation = z.object({
  at: count,
  fileId: name,
  name,
  page: count.nullable(),
  n: count,
  heading: z.string().max(1000).overwrite(cleanText).exactOptional(),
  quote: z.string().max(1000).overwrite(cleanText),
});

((name) => name) satisfies (name: keyof StoredCitation) => keyof z.output<typeof Citation>;

const image = z.object({
  type: z.literal('image'),
  fileId: name,
  path: imagePath,
  width: count,
  height: count,
  name: name.exactOptional(),
  mime: name.exactOptional(),
  bytes: count.exactOptional(),
  prompt: text.exactOptional(),
  revisedPrompt: text.exactOptional(),
  size: z.enum(PICTURE_SIZES).exactOptional(),
  credits: count.exactOptional(),
});
((name) => name) satisfies (name: keyof ImagePart) => keyof z.output<typeof image>;
const file = z.object({ type: z.literal('file'), fileId: name, path: filePath, name, mime: name, bytes: count });
const logs = z.object({ type: z.literal('logs'), text });
const artifact = z.object({ type: z.literal('artifact'), info: text, source: text });

/** What a call can be in a file, where nothing runs and nobody decides. */
const ToolEnd = z
  .enum(['done', 'failed', 'stopped', 'denied', 'unknown', 'writing', 'waiting', 'running'])
  .transform((state) => (state === 'writing' || state === 'waiting' || state === 'running' ? 'stopped' : state));

/** Without what the provider signed, which is of another account. */
const ToolCall = z
  .object({
    id: name,
    kind: z.enum(['code_interpreter', 'retrieval', 'function']),
    name,
    input: text,
    output: text.nullable(),
    progress: z.number().min(0).max(1),
    step: maybe(count),
    from: maybe(z.object({ source: z.enum(['builtin', 'plugin', 'action', 'mcp', 'skill']), id: name, label: name })),
    state: maybe(ToolEnd),
    outputs: maybe(z.array(z.discriminatedUnion('type', [logs, artifact, image, file])).max(1000)),
    tookMs: duration,
  })
  .transform(withoutUndefined);

export const ExportedPart = z.discriminatedUnion('type', [
  z
    .object({ type: z.literal('text'), text, citations: maybe(z.array(Citation).max(1000)) })
    .transform(withoutUndefined),
  z.object({ type: z.literal('reasoning'), text, tookMs: duration }).transform(withoutUndefined),
  z.object({ type: z.literal('error'), text }),
  image,
  file,
  z.object({ type: z.literal('tool_call'), call: ToolCall }),
]);

const Value = z
  .union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)])
  .transform(cleanText);

/** A part of an assistant's message in the reference system. */
export const AssistantPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: Value }),
  z.object({ type: z.literal('error'), text: Value }),
  z.object({ type: z.literal('think'), think: Value }),
  z.object({
    type: z.literal('image_file'),
    image_file: z.object({ file_id: name.catch(''), filename: name.catch('') }),
  }),
  z.object({ type: z.literal('image_url'), image_url: z.unknown().optional() }),
  z.object({
    type: z.literal('tool_call'),
    tool_call: z.object({
      id: name.catch(''),
      type: name.catch('function'),
      name: maybe(name),
      args: z
        .union([text, z.record(z.string(), z.unknown()).transform((args) => cleanText(JSON.stringify(args)))])
        .catch(''),
      output: text.nullish().catch(null),
      code_interpreter: maybe(z.object({ input: text.catch(''), outputs: Unknowns })),
      function: maybe(
        z.object({ name: name.catch('function'), arguments: text.catch(''), output: text.nullish().catch(null) }),
      ),
    }),
  }),
]);
export type AssistantPart = z.infer<typeof AssistantPart>;

/** An attached file of the reference system: images have a width. */
export const AttachedFile = z
  .object({
    filename: maybe(name),
    file_id: maybe(name),
    type: name.catch(''),
    width: z.unknown().optional(),
  })
  .transform(({ filename, file_id: id, type, width }) => ({
    id: id ?? '',
    name: filename ?? id ?? '',
    isImage: type.startsWith('image/') || typeof width === 'number',
  }))
  .refine((file) => file.name !== '');

export const CodeOutput = z.object({ logs: text });

/** A tool used by a plugin answer of the reference system. */
export const UsedPlugin = z.object({
  runId: name.catch(''),
  latest: name.catch('plugin'),
  inputs: Unknowns,
  outputs: text.nullish().catch(null),
});
