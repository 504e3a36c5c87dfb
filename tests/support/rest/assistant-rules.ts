// The JSON of assistants that existing clients of the REST paths require, as schemas: all fields, and no other.
import * as z from 'zod';
import { Conversation, Message } from './client-rules.ts';
import type { Client } from './client.ts';
import { assertDocumentedEvent } from './documented.ts';

const text = z.string();
const threadId = text.regex(/^thread_[\da-f-]{36}$/);

const Tool = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('code_interpreter') }),
  z.strictObject({ type: z.literal('retrieval') }),
  z.strictObject({
    type: z.literal('function'),
    function: z.strictObject({
      name: text,
      description: text.optional(),
      parameters: z.record(z.string(), z.unknown()).optional(),
    }),
  }),
]);

export const Assistant = z.strictObject({
  id: text.regex(/^asst_[A-Za-z0-9]{24}$/),
  object: z.literal('assistant'),
  created_at: z.int(),
  name: text.nullable(),
  description: text.nullable(),
  model: text,
  instructions: text.nullable(),
  tools: z.array(Tool),
  file_ids: z.array(z.uuid()),
  metadata: z.strictObject({
    avatar: text.optional(),
    avatar_source: text.optional(),
    author: text.optional(),
    conversation_starters: z.array(text).optional(),
  }),
});
export type Assistant = z.infer<typeof Assistant>;

export const AssistantList = z.strictObject({
  object: z.literal('list'),
  data: z.array(Assistant),
  first_id: text.nullable(),
  last_id: text.nullable(),
  has_more: z.boolean(),
});

export const AssistantDocument = z.strictObject({
  user: z.uuid(),
  assistant_id: text,
  avatar: z.strictObject({ filepath: text, source: text }).optional(),
  file_ids: z.array(z.uuid()),
  actions: z.array(text),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

const ids = { thread_id: threadId, messageId: z.uuid(), conversationId: z.uuid() };

const Sync = z.strictObject({
  sync: z.literal(true),
  conversationId: z.uuid(),
  requestMessage: z.strictObject({
    user: z.uuid(),
    text,
    messageId: z.uuid(),
    parentMessageId: text,
    files: z.array(z.looseObject({ file_id: z.uuid() })),
    file_ids: z.array(z.uuid()),
    conversationId: z.uuid(),
    isCreatedByUser: z.literal(true),
    assistant_id: text,
    thread_id: threadId,
    model: text,
  }),
  responseMessage: z.strictObject({
    user: z.uuid(),
    messageId: z.uuid(),
    parentMessageId: z.uuid(),
    conversationId: z.uuid(),
    assistant_id: text,
    thread_id: threadId,
    model: text,
  }),
});

const Text = z.strictObject({
  text: text.min(1),
  message: z.literal(true),
  initial: z.boolean(),
  index: z.int().min(0),
  type: z.literal('text'),
  ...ids,
});

const index = z.int().min(0);
const image = { file_id: text, filepath: text, width: z.int(), height: z.int() };
const ImageFile = z.strictObject({
  ...image,
  object: z.literal('file'),
  filename: text,
  type: text.startsWith('image/'),
  prompt: text.optional(),
});
const Output = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('logs'), logs: text }),
  z.strictObject({ type: z.literal('image'), image: z.strictObject({ ...image, prompt: text.optional() }) }),
]);
const call = { id: text, progress: z.number().min(0.01).max(2) };
/** Each kind has its own fields under its own name. */
const ToolCall = z.discriminatedUnion('type', [
  z.strictObject({
    ...call,
    type: z.literal('code_interpreter'),
    code_interpreter: z.strictObject({ input: text, outputs: z.array(Output) }),
  }),
  z.strictObject({ ...call, type: z.literal('retrieval'), retrieval: z.strictObject({}) }),
  z.strictObject({
    ...call,
    type: z.literal('function'),
    function: z.strictObject({ name: text, arguments: text, output: text.optional() }),
    action: z.boolean(),
  }),
]);
const Part = z.discriminatedUnion('type', [
  z.strictObject({ index, type: z.literal('text'), text: z.strictObject({ value: text }), ...ids }),
  z.strictObject({
    index,
    type: z.literal('tool_call'),
    tool_call: ToolCall,
    ...ids,
  }),
  z.strictObject({ index, type: z.literal('image_file'), image_file: ImageFile, ...ids }),
]);

const GoodEnd = z.strictObject({
  final: z.literal(true),
  conversation: z.strictObject({
    conversationId: z.uuid(),
    endpoint: z.literal('assistants'),
    promptPrefix: text.nullable(),
    instructions: text.optional(),
    assistant_id: text,
  }),
  requestMessage: z.strictObject({ parentMessageId: text, thread_id: threadId }),
});

export const BrokenEnd = z.strictObject({
  final: z.literal(true),
  conversation: Conversation,
  runMessages: z.array(Message),
});

export interface AssistantFrames {
  sync: z.infer<typeof Sync> | undefined;
  texts: z.infer<typeof Text>[];
  parts: z.infer<typeof Part>[];
  final: z.infer<typeof GoodEnd> | undefined;
  broken: z.infer<typeof BrokenEnd> | undefined;
  errors: unknown[];
  /** The names of the events in order. */
  order: string[];
}

interface Reading {
  path?: string;
  /** Hears when the run exists. */
  onSync?: (sync: z.infer<typeof Sync>) => void;
  onFrame?: (soFar: AssistantFrames) => void;
}

/** Asks an assistant and reads to the end. Each frame must be one that clients know. */
export async function askAssistant(
  client: Client,
  body: object,
  { path = '/api/assistants/chat', onSync, onFrame }: Reading = {},
): Promise<AssistantFrames> {
  const response = await client.post(path, body);
  const all: AssistantFrames = {
    sync: undefined,
    texts: [],
    parts: [],
    final: undefined,
    broken: undefined,
    errors: [],
    order: [],
  };
  let rest = '';
  for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      if (block.trim() === '') continue;
      const [, event, data = 'null'] = /^event: (\w+)\ndata: ([^\n]*)$/.exec(block.trim()) ?? [];
      const told = JSON.parse(data) as Record<string, unknown>;
      assertDocumentedEvent(response, event ?? '', told);
      take(all, event ?? '', told);
      if (all.order.length === 1 && all.sync) onSync?.(all.sync);
      onFrame?.(all);
    }
  }
  return all;
}

/** In the order in which those clients tell the events apart. */
function take(all: AssistantFrames, event: string, data: Record<string, unknown>): void {
  const note = (name: string) => all.order.at(-1) !== name && all.order.push(name);
  if (event === 'error') {
    all.errors.push(data);
    note('error');
  } else if ('final' in data) {
    if ('runMessages' in data) all.broken = BrokenEnd.parse(data);
    else all.final = GoodEnd.parse(data);
    note('final');
  } else if ('sync' in data) {
    all.sync = Sync.parse(data);
    note('sync');
  } else if ('message' in data) {
    all.texts.push(Text.parse(data));
    note('text');
  } else {
    all.parts.push(Part.parse(data));
    note('part');
  }
}
