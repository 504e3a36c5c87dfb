/** Anthropic's protocol: the Messages API, the older completions, and the list of models. */
import * as z from 'zod';
import { cacheUse, refusedMarks, withoutMarks } from './anthropic-cache.ts';
import { createCompletionFrames, createMessageFrames } from './anthropic-frames.ts';
import { isSpentOnThinking, refusedByClaude, showsReasoning } from './anthropic-thinking.ts';
import { respondAsScripted, refuseWith } from '../respond.ts';
import { streamScript } from '../stream-script.ts';
import { scriptedStream } from '../scenario.ts';
import type { Refusal, StreamScript } from '../scenario.ts';
import { refusedByAnthropic } from '../tools/refused-tools.ts';
import type { OfferedTool, ToolsInRequest } from '../tools/tools-in-request.ts';
import { Content, isQuestion, Offered, anthropicSteps, turnText } from '../tools/anthropic.ts';
import { BAD_SIGNATURE } from '../tools/scenarios.ts';
import { sendJson } from '../protocol.ts';
import type { FakeCall, Protocol } from '../protocol.ts';

const routes: Record<string, (exchange: FakeCall) => Promise<void>> = {
  'GET /v1/models': listModels,
  'POST /v1/messages': talk,
  'POST /v1/complete': complete,
};

export const anthropic: Protocol = {
  serves: (method, path, headers) => 'anthropic-version' in headers && `${method} ${path}` in routes,
  async respond(exchange) {
    await routes[`${exchange.request.method} ${exchange.path}`]?.(exchange);
  },
};

const Messages = z.object({
  model: z.string(),
  max_tokens: z.number().int().min(1),
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: Content })).min(1),
  system: z.string().optional(),
  tools: z.array(Offered).min(1).optional(),
  tool_choice: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('none') }),
      z.strictObject({ type: z.enum(['auto', 'any']), disable_parallel_tool_use: z.boolean().optional() }),
      z.strictObject({ type: z.literal('tool'), name: z.string(), disable_parallel_tool_use: z.boolean().optional() }),
    ])
    .optional(),
  temperature: z.number().optional(),
  top_p: z.number().optional(),
  top_k: z.number().optional(),
  stop_sequences: z.array(z.string().regex(/\S/)).optional(),
  thinking: z
    .object({ type: z.string(), budget_tokens: z.number().optional(), display: z.string().nullish() })
    .optional(),
  output_config: z
    .strictObject({
      effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).optional(),
      format: z.strictObject({ type: z.literal('json_schema'), schema: z.record(z.string(), z.unknown()) }).optional(),
    })
    .optional(),
});

async function talk(exchange: FakeCall): Promise<void> {
  const { body } = exchange.request;
  const badMark = refusedMarks(body);
  if (badMark !== undefined) return sendJson(exchange.line, 400, errorBody({ status: 400, message: badMark }));
  const { success, data } = Messages.safeParse(withoutMarks(body));
  if (!success || !alternates(data.messages)) return sendJson(exchange.line, 400, errorBody(badRequest));
  const fault = refusedByClaude(data);
  if (fault !== undefined) return sendJson(exchange.line, 400, errorBody({ status: 400, message: fault }));
  const steps = anthropicSteps(data.messages, data.thinking?.type === 'enabled');
  const refusedTools =
    refusedByAnthropic(offeredIn(data))?.message ??
    ('refused' in steps ? steps.refused : toolFault(data, steps.length > 0));
  if (refusedTools !== undefined)
    return sendJson(exchange.line, 400, errorBody({ status: 400, message: refusedTools }));
  const messages = data.messages.map((message) => ({
    role: message.role === 'user' && !isQuestion(message) ? 'tool' : message.role,
    text: turnText(message),
  }));
  const request = { model: data.model, messages, maxTokens: data.max_tokens, tools: toolsOf(data, steps) };
  const hasReasoning = showsReasoning(data);
  const facts = {
    isTold: hasReasoning,
    isSigned: data.thinking !== undefined && data.thinking.type !== 'disabled',
    record: exchange.request,
  };
  const frames = (script: StreamScript) =>
    createMessageFrames(request, script, { ...facts, cache: cacheUse(body, exchange.conversations) });
  if (isSpentOnThinking(data)) return streamScript(emptyReply, frames(emptyReply), exchange.line);
  return respondAsScripted(exchange, request, { frames, refused, errorBody });
}

type Body = z.infer<typeof Messages>;

function toolFault({ tools, tool_choice: choice }: Body, hasSteps: boolean): string | undefined {
  if (choice && !tools) return 'tool_choice may only be specified while providing tools.';
  if (choice?.type === 'tool' && !tools?.some(({ name }) => name === choice.name))
    return `Tool '${choice.name}' not found in provided tools`;
  return hasSteps && !tools ? 'Requests which have `tool_use` or `tool_result` blocks must define tools.' : undefined;
}

function toolsOf(
  { tools = [], tool_choice: choice, output_config }: Body,
  steps: ReturnType<typeof anthropicSteps>,
): ToolsInRequest {
  return {
    offered: offeredIn({ tools }),
    mayCall: tools.length > 0 && choice?.type !== 'none',
    ...(choice?.type === 'any' && { forced: tools.map(({ name }) => name) }),
    ...(choice?.type === 'tool' && { forced: [choice.name] }),
    isSingle:
      choice !== undefined && 'disable_parallel_tool_use' in choice && choice.disable_parallel_tool_use === true,
    ...(output_config?.format && { format: output_config.format.schema }),
    steps: 'refused' in steps ? [] : steps,
  };
}

function offeredIn({ tools = [] }: Pick<Body, 'tools'>): OfferedTool[] {
  return tools.map(({ name, description, input_schema }) => ({ name, description, parameters: input_schema }));
}

const emptyReply = scriptedStream([], { finish: 'length' });

// The real API joins turns of one role, but refuses an empty turn or an assistant's first turn.
function alternates(messages: z.infer<typeof Messages>['messages']): boolean {
  return messages[0]?.role === 'user' && messages.every(({ content }) => content.length > 0);
}

const Completion = z.object({ model: z.string(), max_tokens_to_sample: z.number(), prompt: z.string() });

async function complete(exchange: FakeCall): Promise<void> {
  const { success, data } = Completion.safeParse(exchange.request.body);
  const isTalk = data?.prompt.includes('\n\nHuman:') && data.prompt.includes('\n\nAssistant:');
  if (!success || !isTalk) return sendJson(exchange.line, 400, errorBody(badRequest));
  const question =
    data.prompt
      .split('\n\nHuman:')
      .at(-1)
      ?.replace(/\n\nAssistant:$/, '')
      .trim() ?? '';
  const messages = [{ role: 'user', text: question }];
  const request = { model: data.model, messages, maxTokens: data.max_tokens_to_sample };
  return respondAsScripted(exchange, request, { frames: () => createCompletionFrames(data.model), refused, errorBody });
}

async function listModels(exchange: FakeCall): Promise<void> {
  const demanded = exchange.demanded();
  if (demanded && demanded.kind !== 'stream') return refuseWith(exchange, demanded, { refused, errorBody });
  const ids = [
    'claude-3-opus-20240229',
    'claude-3-haiku-20240307',
    'claude-haiku-4-5',
    'claude-sonnet-5',
    ...exchange.scenarioNames.map((name) => `fake:${name}`),
  ];
  const data = ids.map((id) => ({
    type: 'model',
    id,
    display_name: id,
    created_at: '2024-02-29T00:00:00Z',
    ...limits(id),
  }));
  sendJson(exchange.line, 200, { data, has_more: false, first_id: ids[0], last_id: ids.at(-1) });
}

/** Early models have no limits here. */
function limits(id: string): object {
  return id === 'claude-sonnet-5' ? { max_input_tokens: 1_000_000, max_tokens: 128_000 } : {};
}

const TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

// An empty balance is a bad request there, recognisable only by its message.
function refused(refusal: Refusal): Refusal {
  if (refusal.code === BAD_SIGNATURE)
    return { ...refusal, message: 'messages.1.content.0: Invalid `signature` in `thinking` block' };
  if (refusal.code !== 'insufficient_quota') return refusal;
  return { ...refusal, status: 400, message: 'Your credit balance is too low to access the Anthropic API.' };
}

function errorBody({ status, message }: Pick<Refusal, 'status' | 'message'>): unknown {
  return { type: 'error', error: { type: TYPES[status] ?? 'api_error', message }, request_id: 'req_fake' };
}

const badRequest = { status: 400, message: 'messages: at least one message is required, of a user first.' };
