/** Gemini's protocol with an API key: streaming answers, and the list of models. */
import * as z from 'zod';
import { GeminiImage } from '../../images-seen.ts';
import { respondAsScripted, refuseWith } from '../../respond.ts';
import { errorBody, refused } from './google-errors.ts';
import { createContentFrames } from './gemini-frames.ts';
import {
  Config,
  forcedIn,
  geminiSteps,
  isQuestion,
  Offered,
  refusesFormatWithTools,
  ToolPart,
  type Turn,
} from '../../tools/gemini.ts';
import { refusedByGoogle } from '../../tools/refused-tools.ts';
import type { StreamScript } from '../../scenario.ts';
import { sendJson } from '../../protocol.ts';
import type { FakeCall, Protocol } from '../../protocol.ts';

const ASK = /^\/v1beta\/models\/(.+):streamGenerateContent$/;

export const gemini: Protocol = {
  serves: (method, path) => (method === 'POST' && ASK.test(path)) || (method === 'GET' && path === '/v1beta/models'),
  async respond(exchange) {
    const [, model] = ASK.exec(exchange.path) ?? [];
    return model === undefined ? listModels(exchange) : generate(exchange, decodeURIComponent(model));
  },
};

const Body = z.object({
  contents: z
    .array(
      z.object({
        role: z.enum(['user', 'model']),
        parts: z
          .array(z.union([GeminiImage, ToolPart, z.object({ text: z.string() }).transform(({ text }) => text)]))
          .min(1),
      }),
    )
    .min(1),
  tools: z.tuple([Offered]).optional(),
  toolConfig: Config.optional(),
  generationConfig: z
    .object({
      maxOutputTokens: z.number().optional(),
      stopSequences: z.array(z.string()).max(5).optional(),
      seed: z.int32().optional(),
      responseMimeType: z.enum(['text/plain', 'application/json']).optional(),
      responseJsonSchema: z.record(z.string(), z.unknown()).optional(),
      thinkingConfig: z.object({ includeThoughts: z.boolean().optional() }).optional(),
    })
    .optional(),
});

/** Answers a streamGenerateContent call of either API. */
export async function generate(exchange: FakeCall, model: string): Promise<void> {
  const { success, data } = Body.safeParse(exchange.request.body);
  if (!success || data.contents[0]?.role !== 'user') return sendJson(exchange.line, 400, errorBody(badRequest));
  const { maxOutputTokens: maxTokens, thinkingConfig } = data.generationConfig ?? {};
  if (thinkingConfig && !THINKS.test(model)) return sendJson(exchange.line, 400, errorBody(reasoningRefusal(model)));
  const steps = geminiSteps(data.contents, model);
  if ('refused' in steps)
    return sendJson(exchange.line, 400, errorBody({ status: 400, code: null, message: steps.refused }));
  const [{ functionDeclarations = [] } = {}] = data.tools ?? [];
  const offered = functionDeclarations.map(({ parametersJsonSchema: parameters, ...tool }) => ({
    ...tool,
    parameters,
  }));
  const badTool = refusedByGoogle(offered);
  if (badTool) return sendJson(exchange.line, 400, errorBody({ status: 400, code: null, message: badTool.message }));
  const mode = data.toolConfig?.functionCallingConfig ?? { mode: 'AUTO' as const };
  const forced = forcedIn(mode, offered);
  const mayCall = offered.length > 0 && mode.mode !== 'NONE';
  const fault = 'refused' in forced ? forced.refused : refusedFormat(data, model, mayCall);
  if (fault !== undefined) return sendJson(exchange.line, 400, errorBody({ status: 400, code: null, message: fault }));
  const messages = data.contents.map(messageOf);
  const talk = { model, messages, maxTokens, tools: { offered, mayCall, steps, ...forced, ...formatIn(data) } };
  const showsReasoning = thinkingConfig?.includeThoughts === true;
  const frames = (script: StreamScript) => createContentFrames(talk, script, showsReasoning, exchange.request);
  return respondAsScripted(exchange, talk, { frames, refused, errorBody });
}

function refusedFormat({ generationConfig = {} }: z.infer<typeof Body>, model: string, mayCall: boolean) {
  const { responseMimeType: mime, responseJsonSchema: schema } = generationConfig;
  if (schema && mime !== 'application/json')
    return 'response_schema in generation config is only supported when response_mime_type is application/json.';
  if (mime === 'application/json' && mayCall && refusesFormatWithTools(model))
    return "Function calling with a response mime type: 'application/json' is unsupported";
  const refused = schema && refusedByGoogle([{ name: 'answer', description: '', parameters: schema }]);
  return refused?.message;
}

function formatIn({ generationConfig = {} }: z.infer<typeof Body>) {
  const { responseMimeType: mime, responseJsonSchema: schema = {} } = generationConfig;
  return mime === 'application/json' ? { format: schema } : {};
}

/** The text of a turn is its last part; images come before it. */
function messageOf(turn: Turn): { role: string; text: string } {
  const texts = turn.parts.filter((part) => typeof part === 'string');
  const text = [...texts.slice(0, -1).filter((part) => part.startsWith('[saw ')), texts.at(-1) ?? ''].join('\n');
  if (turn.role === 'model') return { role: 'assistant', text };
  return { role: isQuestion(turn) ? 'user' : 'tool', text };
}

const THINKS = /^gemini-(?:2\.5|3|pro-latest|flash-latest)/;

function reasoningRefusal(model: string) {
  return { status: 400, code: null, message: `Thinking is not enabled for models/${model}` };
}

async function listModels(exchange: FakeCall): Promise<void> {
  const demanded = exchange.demanded();
  if (demanded && demanded.kind !== 'stream') return refuseWith(exchange, demanded, { refused, errorBody });
  const ids = [
    'gemini-pro',
    'gemini-1.5-pro-latest',
    'gemini-2.5-flash',
    ...exchange.scenarioNames.map((name) => `fake:${name}`),
  ];
  const models = ids.map((id) => ({
    name: `models/${id}`,
    displayName: id,
    inputTokenLimit: 30_720,
    outputTokenLimit: 8192,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
  }));
  const embedding = { name: 'models/embedding-001', supportedGenerationMethods: ['embedContent'] };
  sendJson(exchange.line, 200, { models: [...models, embedding] });
}

const badRequest = { status: 400, code: null, message: 'contents must begin with a user’s turn.' };
