// A conversation as Parley exports it, and as the reference system does: the same names, ours with more of them.
import * as z from 'zod';
import { cleanText } from './clean-text.ts';
import { endpointTable, type EndpointType } from './endpoints.ts';
import { Flag, MaybeId, MaybeName, MaybeText, MaybeTime, MaybeTitle, SourceId, Unknowns } from './transfer-fields.ts';

const MaybeEndpointType = z
  .enum(Object.keys(endpointTable) as EndpointType[])
  .nullish()
  .catch(null)
  .transform((type) => type ?? null);

const Options = z.record(z.string().max(64), z.unknown());

export const ExportedConvo = z
  .object({
    conversationId: SourceId,
    title: MaybeTitle,
    endpoint: MaybeName,
    options: Options.optional().catch(undefined),
    /** A list in the order of the thread … */
    messages: z.array(z.unknown()).optional(),
    /** … or the first messages, each with its answers as `children`. */
    messagesTree: z.array(z.unknown()).optional(),
  })
  .refine(({ messages, messagesTree }) => messages !== undefined || messagesTree !== undefined);
export type ExportedConvo = z.infer<typeof ExportedConvo>;

export const ExportedOptions = z.object({ model: MaybeName, endpointType: MaybeEndpointType });

const count = z.int().min(0).max(2_000_000_000);

const rate = z.number().min(0).max(2_000_000_000);
const Usage = z.object({
  input: count,
  output: count,
  estimated: z.boolean().optional(),
  rates: z.object({ prompt: rate, completion: rate }).optional().catch(undefined),
});
/** Without the message it begins with: ids change on the way. */
const Context = z.object({
  window: count,
  included: count,
  omitted: count,
  tokens: count.optional(),
  reserve: count.optional(),
  instructions: count.optional(),
  summary: z.object({ messages: count, tokens: count }).optional(),
  summaryFailed: z.literal(true).optional(),
});
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
  finish_reason: FinishReason.nullish()
    .catch(null)
    .transform((reason) => reason ?? null),
  usage: Usage.nullish()
    .catch(null)
    .transform((usage) => usage ?? null),
  context: Context.nullish()
    .catch(null)
    .transform((context) => context ?? null),
  reason: z.unknown().optional(),
  createdAt: MaybeTime,
  updatedAt: MaybeTime,
  /** Ours: the pieces of a message that is more than text. */
  parts: z.array(z.unknown()).optional().catch(undefined),
  /** The reference's, of its assistants. */
  content: z.array(z.unknown()).optional().catch(undefined),
  /** The reference's, of its plugins. */
  plugins: Unknowns,
  plugin: z.unknown().optional(),
  children: Unknowns,
});
export type ExportedMessage = z.infer<typeof ExportedMessage>;

const text = z.string().overwrite(cleanText);
const name = z.string().max(256).overwrite(cleanText);

/** A picture of ours; no other address is ever asked for one. */
const imagePath = z
  .string()
  .max(1_000)
  .regex(/^\/images\/(?!.*\.\.)[\w./-]+$/);

export const ExportedPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text }),
  z.object({ type: z.literal('reasoning'), text }),
  z.object({ type: z.literal('error'), text }),
  z.object({
    type: z.literal('image'),
    fileId: name,
    path: imagePath,
    width: count,
    height: count,
  }),
  z.object({
    type: z.literal('tool_call'),
    call: z.object({
      id: name,
      kind: z.enum(['code_interpreter', 'retrieval', 'function']),
      name,
      input: text,
      output: text.nullable(),
      progress: z.number().min(0).max(1),
    }),
  }),
]);

const Value = z
  .union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)])
  .transform(cleanText);

/** A piece of what an assistant of the reference system said. */
export const AssistantPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: Value }),
  z.object({ type: z.literal('error'), text: Value }),
  z.object({ type: z.literal('image_file'), image_file: z.object({ file_id: name.catch('') }) }),
  z.object({
    type: z.literal('tool_call'),
    tool_call: z.object({
      id: name.catch(''),
      type: name.catch('function'),
      code_interpreter: z
        .object({ input: text.catch(''), outputs: Unknowns })
        .optional()
        .catch(undefined),
      function: z
        .object({ name: name.catch('function'), arguments: text.catch(''), output: text.nullish().catch(null) })
        .optional()
        .catch(undefined),
    }),
  }),
]);
export type AssistantPart = z.infer<typeof AssistantPart>;

export const CodeOutput = z.object({ logs: text });

/** A tool that a plugin answer of the reference system used. */
export const UsedPlugin = z.object({
  runId: name.catch(''),
  latest: name.catch('plugin'),
  inputs: Unknowns,
  outputs: text.nullish().catch(null),
});
