/** Tools in chat completions, with the rules by which OpenAI refuses a history. */
import * as z from 'zod';
import { seenLine } from '../images-seen.ts';
import { refusedAnswerSchema } from './refused-answers.ts';
import { refusedByOpenAI } from './refused-tools.ts';
import type { GivenCall, GivenStep, ToolsInRequest } from './tools-in-request.ts';

const Text = z.union([
  z.string(),
  z
    .array(
      z.union([
        z.object({ type: z.literal('text'), text: z.string() }),
        z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string().startsWith('data:') }) }),
      ]),
    )
    .min(1),
]);

const Message = z.looseObject({
  role: z.string(),
  content: z.unknown().optional(),
  tool_calls: z
    .array(
      z.object({
        id: z.string().min(1).max(40),
        type: z.literal('function'),
        function: z.object({ name: z.string().min(1), arguments: z.string() }),
        extra_content: z.unknown().optional(),
      }),
    )
    .min(1)
    .optional(),
  tool_call_id: z.string().optional(),
  reasoning_details: z.array(z.looseObject({ data: z.string().optional() })).optional(),
});

type Message = z.infer<typeof Message>;

const Body = z.object({
  messages: z.array(Message),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name: z.string(),
          description: z.string().default(''),
          parameters: z.record(z.string(), z.unknown()),
        }),
      }),
    )
    .min(1)
    .optional(),
  tool_choice: z
    .union([
      z.enum(['auto', 'none', 'required']),
      z.strictObject({ type: z.literal('function'), function: z.strictObject({ name: z.string() }) }),
    ])
    .optional(),
  parallel_tool_calls: z.boolean().optional(),
  seed: z.number().int().optional(),
  response_format: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('text') }),
      z.strictObject({ type: z.literal('json_object') }),
      z.strictObject({
        type: z.literal('json_schema'),
        json_schema: z.strictObject({
          name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
          description: z.string().optional(),
          schema: z.record(z.string(), z.unknown()).optional(),
          strict: z.boolean().nullish(),
        }),
      }),
    ])
    .optional(),
});

/** The tools of a request, or why it is refused. */
export function toolsOfChat(body: unknown): ToolsInRequest | { refused: string; param?: string; code?: string } {
  const { success, data, error } = Body.safeParse(body);
  if (!success) return { refused: z.prettifyError(error) };
  if (data.tool_choice && !data.tools) return { refused: "'tool_choice' is only allowed when 'tools' are specified." };
  if (data.parallel_tool_calls !== undefined && !data.tools)
    return { refused: "'parallel_tool_calls' is only allowed when 'tools' are specified." };
  const offered = data.tools?.map(({ function: tool }) => tool) ?? [];
  const choice = data.tool_choice;
  if (typeof choice === 'object' && !offered.some(({ name }) => name === choice.function.name))
    return { refused: `Tool choice '${choice.function.name}' not found in 'tools' parameter.`, param: 'tool_choice' };
  const { response_format: format } = data;
  if (format?.type === 'json_object' && !/json/i.test(JSON.stringify(data.messages)))
    return {
      refused: "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
    };
  const fault = format?.type === 'json_schema' ? refusedAnswerSchema(format.json_schema) : undefined;
  if (fault) return { refused: fault, param: 'response_format' };
  const refused = refusedByOpenAI(offered, (n, name) => `tools[${n}].function.${name}`);
  if (refused) {
    const { message, ...more } = refused;
    return { refused: message, ...more };
  }
  const steps: (GivenStep & { at: number })[] = [];
  for (const [at, message] of data.messages.entries()) {
    if (message.tool_calls) {
      const step = stepAt(data.messages, at);
      if (!step) return { refused: UNANSWERED };
      steps.push({ ...step, at });
    } else if (message.role === 'tool' && !isResult(data.messages, at)) return { refused: UNASKED };
  }
  const question = data.messages.findLastIndex((_, at) => isQuestion(data.messages, at));
  return {
    offered,
    mayCall: data.tools !== undefined && data.tool_choice !== 'none',
    ...forcedBy(choice, offered),
    isSingle: data.parallel_tool_calls === false,
    ...(format &&
      format.type !== 'text' && { format: format.type === 'json_schema' ? (format.json_schema.schema ?? {}) : {} }),
    steps: steps.filter(({ at }) => at > question),
  };
}

type Choice = z.infer<typeof Body>['tool_choice'];

function forcedBy(choice: Choice, offered: readonly { name: string }[]) {
  if (choice === 'required') return { forced: offered.map(({ name }) => name) };
  return typeof choice === 'object' ? { forced: [choice.function.name] } : {};
}

/** Whether a message is a person's: images of results are sent as one, too. */
export function isQuestion(messages: readonly { role: string; content?: unknown }[], at: number): boolean {
  const message = messages[at];
  // An answer that was stopped may end with results: the next question then comes right after them.
  return message?.role === 'user' && (messages[at - 1]?.role !== 'tool' || typeof message.content === 'string');
}

const UNANSWERED =
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";
const UNASKED = "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";

/** Undefined where a result is missing, or something stands before it. */
function stepAt(messages: Message[], at: number): GivenStep | undefined {
  const asked = messages[at];
  const calls = asked?.tool_calls ?? [];
  const results = messages.slice(at + 1, at + 1 + calls.length);
  const ids = new Set(results.map(({ tool_call_id: id }) => id));
  if (ids.size < calls.length || calls.some(({ id }) => !ids.has(id))) return undefined;
  const imageParts = messages[at + 1 + calls.length];
  const after = imageParts?.role === 'user' ? read(imageParts.content).images : [];
  const given = calls.map(({ id, function: { name, arguments: input } }, index): GivenCall => {
    const { text, images } = read(results.find(({ tool_call_id: its }) => its === id)?.content);
    return { name, input, output: text, isError: undefined, images: index > 0 ? images : [...images, ...after] };
  });
  const signatures = asked?.reasoning_details?.flatMap(({ data }) => data ?? []) ?? [];
  return { calls: given, signatures, isUnsigned: signatures.length === 0 };
}

function isResult(messages: Message[], at: number): boolean {
  const before = messages.slice(0, at).findLastIndex(({ role }) => role !== 'tool');
  return messages[before]?.tool_calls?.some(({ id }) => id === messages[at]?.tool_call_id) === true;
}

function read(content: unknown): { text: string; images: string[] } {
  const { data = '' } = Text.safeParse(content);
  if (typeof data === 'string') return { text: data, images: [] };
  return {
    text: data.map((part) => ('text' in part ? part.text : '')).join(''),
    images: data.flatMap((part) => ('image_url' in part ? imageLine(part.image_url.url) : [])),
  };
}

function imageLine(url: string): string {
  const [, mime = '', data = ''] = /^data:([^;]+);base64,(.*)$/.exec(url) ?? [];
  return seenLine(mime, Buffer.byteLength(data, 'base64'));
}
