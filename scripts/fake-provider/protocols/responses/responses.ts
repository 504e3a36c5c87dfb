/** OpenAI's Responses protocol, at OpenAI and at Azure. Only streams are answered. */
import * as z from 'zod';
import { respondAsScripted, type Talk } from '../../respond.ts';
import { seenLine } from '../../images-seen.ts';
import { isSpentOnThinking, refusedByThinking, thinks } from '../openai-thinking.ts';
import { sendJson, type FakeCall, type Protocol } from '../../protocol.ts';
import { scriptedStream, type Refusal } from '../../scenario.ts';
import { streamScript } from '../../stream-script.ts';
import { BAD_SIGNATURE } from '../../tools/scenarios.ts';
import { refusedAnswerSchema } from '../../tools/refused-answers.ts';
import { refusedByOpenAI } from '../../tools/refused-tools.ts';
import {
  CallItem,
  OfferedFunction,
  offeredIn,
  ReasoningItem,
  resultItem,
  responsesSteps,
} from '../../tools/responses.ts';
import { createResponseFrames } from './frames.ts';

const AZURE = '/openai/v1/responses';

export const responses: Protocol = {
  serves: (method, path) => method === 'POST' && (path === '/v1/responses' || path === AZURE),
  async respond(exchange) {
    const { headers, query } = exchange.request;
    const isAzure = exchange.path === AZURE;
    if (isAzure && !headers['api-key']) return sendJson(exchange.line, 401, errorBody(noKey));
    // The undated address takes no dated version.
    if (isAzure && query !== '') return sendJson(exchange.line, 400, errorBody(refusing('API version not supported')));
    return respond(exchange);
  },
};

const DATA_URL = /^data:([a-z/]+);base64,([A-Za-z0-9+/]+={0,2})$/;

const DataUrl = z
  .string()
  .regex(DATA_URL)
  .transform((url) => {
    const [, mime = '', data = ''] = DATA_URL.exec(url) ?? [];
    return seenLine(mime, Buffer.byteLength(data, 'base64'));
  });

const Part = z.union([
  z.strictObject({ type: z.literal('input_text'), text: z.string() }).transform(({ text }) => text),
  z
    .strictObject({ type: z.literal('input_image'), image_url: DataUrl, detail: z.enum(['low', 'high', 'auto']) })
    .transform(({ image_url: line }) => line),
  z
    .strictObject({ type: z.literal('input_file'), filename: z.string(), file_data: DataUrl })
    .transform(({ file_data: line }) => line),
]);

const Message = z.strictObject({
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content: z.union([z.string(), z.array(Part).transform((parts) => parts.toSorted(imagesFirst).join('\n'))]),
});

const Item = z.union([Message, ReasoningItem, CallItem, resultItem(Part)]);

const Format = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text') }),
  z.strictObject({ type: z.literal('json_object') }),
  z.strictObject({
    type: z.literal('json_schema'),
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
    description: z.string().optional(),
    schema: z.record(z.string(), z.unknown()),
    strict: z.boolean().optional(),
  }),
]);

const Body = z.strictObject({
  model: z.string(),
  input: z.array(Item).min(1),
  stream: z.literal(true),
  store: z.literal(false),
  user: z.string().optional(),
  temperature: z.number().optional(),
  top_p: z.number().optional(),
  max_output_tokens: z.number().int().min(16).optional(),
  reasoning: z
    .strictObject({ effort: z.string().optional(), summary: z.enum(['auto', 'concise', 'detailed']).optional() })
    .optional(),
  tools: z.array(OfferedFunction).min(1).optional(),
  tool_choice: z
    .union([z.enum(['auto', 'none', 'required']), z.strictObject({ type: z.literal('function'), name: z.string() })])
    .optional(),
  parallel_tool_calls: z.boolean().optional(),
  text: z.strictObject({ format: Format }).optional(),
  include: z.tuple([z.literal('reasoning.encrypted_content')]).optional(),
});

async function respond(exchange: FakeCall): Promise<void> {
  const { success, data, error } = Body.safeParse(exchange.request.body);
  if (!success) return sendJson(exchange.line, 400, errorBody(refusing(z.prettifyError(error))));
  const { model, reasoning, temperature, top_p } = data;
  const { effort: reasoning_effort } = reasoning ?? {};
  const refused = refusedByThinking(model, {
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { top_p }),
    ...(reasoning_effort !== undefined && { reasoning_effort }),
  });
  if (refused) return sendJson(exchange.line, 400, refused);
  if (reasoning && !thinks(model))
    return sendJson(exchange.line, 400, errorBody(refusing('Unsupported parameter', 'reasoning')));
  if (reasoning?.summary && isUnverified(exchange))
    return sendJson(exchange.line, 400, errorBody(refusing('Your organization must be verified', 'reasoning.summary')));

  if (data.include && !thinks(model))
    return sendJson(exchange.line, 400, errorBody(refusing('Encrypted content is not supported with this model.')));
  const badTool = refusedByOpenAI(offeredIn(data.tools ?? []), (n, name) => `tools[${n}].${name}`);
  if (badTool)
    return sendJson(exchange.line, 400, errorBody({ code: null, ...badTool, type: 'invalid_request_error' }));
  const steps = responsesSteps(data.input);
  if ('refused' in steps) return sendJson(exchange.line, 400, errorBody(refusing(steps.refused, 'input')));
  const tools = { ...wishesIn(data), steps };
  const badWish = refusedWishes(data);
  if (badWish) return sendJson(exchange.line, 400, errorBody(badWish));
  const messages = data.input.flatMap((item) => ('role' in item ? { role: item.role, text: item.content } : []));
  const talk: Talk = { model, messages, maxTokens: data.max_output_tokens, tools };
  const frames = (script: Parameters<typeof createResponseFrames>[1]) =>
    createResponseFrames(
      talk,
      script,
      { summary: reasoning?.summary !== undefined, encrypted: !!data.include },
      exchange.request,
    );
  if (isSpentOnThinking(talk)) return streamScript(emptyReply, frames(emptyReply), exchange.line);
  return respondAsScripted(exchange, talk, { frames, refused: refusedHere, errorBody });
}

type Request = z.infer<typeof Body>;

function wishesIn({ tools: functions = [], tool_choice: choice, parallel_tool_calls: isParallel, text }: Request) {
  const offered = offeredIn(functions);
  const forced = typeof choice === 'object' ? [choice.name] : offered.map(({ name }) => name);
  const { format } = text ?? {};
  return {
    offered,
    mayCall: functions.length > 0 && choice !== 'none',
    isSingle: isParallel === false,
    ...((choice === 'required' || typeof choice === 'object') && { forced }),
    ...(format && format.type !== 'text' && { format: format.type === 'json_schema' ? format.schema : {} }),
  };
}

function refusedWishes({ tools = [], tool_choice: choice, text, input }: Request): Refused | undefined {
  if (typeof choice === 'object' && !tools.some(({ name }) => name === choice.name))
    return refusing(`Tool choice '${choice.name}' not found in 'tools' parameter.`, 'tool_choice');
  const { format } = text ?? {};
  if (format?.type === 'json_object' && !/json/i.test(JSON.stringify(input)))
    return refusing(
      "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
      'input',
    );
  const fault = format?.type === 'json_schema' ? refusedAnswerSchema(format) : undefined;
  return fault === undefined ? undefined : refusing(fault, 'text.format.schema');
}

function refusedHere(refusal: Refusal): Refusal {
  if (refusal.code !== BAD_SIGNATURE) return refusal;
  const message = 'The encrypted content gAAA...CwHs could not be verified.';
  return { ...refusal, code: 'invalid_encrypted_content', message };
}

const emptyReply = scriptedStream([], { finish: 'length' });

/** A key of an organization that OpenAI has not verified. */
function isUnverified({ request }: FakeCall): boolean {
  return request.headers.authorization === 'Bearer sk-unverified';
}

/** Scenarios see images before the text, as in the other protocols. */
function imagesFirst(a: string, b: string): number {
  return Number(b.startsWith('[saw ')) - Number(a.startsWith('[saw '));
}

type Refused = Pick<Refusal, 'message' | 'type' | 'code'> & { param?: string };

function errorBody({ message, type, code, param }: Refused): unknown {
  return { error: { message, type, param: param ?? null, code } };
}

function refusing(message: string, param?: string): Refused {
  return { message, type: 'invalid_request_error', code: 'unsupported_value', ...(param && { param }) };
}

const noKey: Refused = { message: 'Access denied due to invalid subscription key.', type: 'auth', code: '401' };
