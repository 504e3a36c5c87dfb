// Tools by Gemini: what is offered, and calls of earlier steps.
import type { Content, Part } from '@google/generative-ai';
import { isObject } from '@parley/schema/json';
import { mayCall, type ToolChoice } from '../answers/answer-format.ts';
import type { FormatWay } from '../answers/answer-tool.ts';
import { callArguments, objectsIn } from '../finished-calls.ts';
import type { ChatImage, ChatMessage, FinishedCall, ProviderCall } from '../provider.ts';
import { toolDialects } from '../tools/dialects.ts';
import { fitSchema } from '../tools/fit-schema.ts';

export function toolParams({ tools = [], toolChoice }: ProviderCall): object {
  if (tools.length === 0) return {};
  return {
    tools: [
      {
        functionDeclarations: tools.map(({ name, description, parameters }) => ({
          name,
          description,
          // `parameters` is a schema of Google's own, with fewer words.
          parametersJsonSchema: parameters,
        })),
      },
    ],
    ...(toolChoice && { toolConfig: { functionCallingConfig: modeOf(toolChoice) } }),
  };
}

function modeOf(choice: ToolChoice): object {
  if (typeof choice === 'object') return { mode: 'ANY', allowedFunctionNames: [choice.name] };
  return { mode: MODES[choice] };
}

const MODES = { none: 'NONE', auto: 'AUTO', required: 'ANY' } as const;

/** Whether the model gives answers of a shape beside tools: those before the third refuse it. */
export function formatWay(call: Pick<ProviderCall, 'model' | 'tools' | 'toolChoice'>): FormatWay {
  return mayCall(call) && !isThird(call.model) ? 'tool' : 'native';
}

/** In characters. */
const SCHEMA_MAX = 32_000;
/** The names of an answer's properties are no arguments of a tool, so all are accepted. */
const ANSWERS = { ...toolDialects.google, propertyName: /^/ };

/** The shape of an answer, in `generationConfig`. */
export function formatConfig({ format }: Pick<ProviderCall, 'format'>): object {
  if (!format) return {};
  const { schema } = format;
  return {
    responseMimeType: 'application/json',
    ...(schema && { responseJsonSchema: fitSchema(schema, ANSWERS, SCHEMA_MAX).schema }),
  };
}

/** From 3 on, Gemini wants a signature with the first call of each step, and takes images in results. */
function isThird(model: string): boolean {
  return /^gemini-(?:[3-9]|\d\d)/.test(model);
}

/** Google's own word for calls whose signature is not there, as those of other models. */
const UNSIGNED = 'skip_thought_signature_validator';

/** An answer with calls is a turn of the model's, and one of the user's with as many results. */
export function stepContents({ content, calls = [] }: ChatMessage, model: string): Content[] {
  const said = content === '' ? [] : [{ text: content }];
  const isSigned = calls.some((call) => signatureIn(call) !== undefined);
  const asked = calls.map((call, index) => {
    const signature = signatureIn(call) ?? (index === 0 && !isSigned && isThird(model) ? UNSIGNED : undefined);
    const functionCall = { name: call.name, args: callArguments(call) };
    return { functionCall, ...(signature !== undefined && { thoughtSignature: signature }) };
  });
  const imageParts = isThird(model) ? [] : calls.flatMap(({ images = [] }) => images.map(geminiImage));
  return [
    { role: 'model', parts: [...said, ...asked] },
    { role: 'user', parts: [...calls.map((call) => resultOf(call, model)), ...imageParts] },
  ];
}

/** As Google gave it, or as programs give it back: in the fields that Google adds to a call of OpenAI's protocol. */
function signatureIn({ signature }: FinishedCall): string | undefined {
  if (signature === undefined || !signature.startsWith('{')) return signature;
  const { google } = objectsIn(signature)[0] ?? {};
  return isObject(google) && typeof google.thought_signature === 'string' ? google.thought_signature : undefined;
}

function resultOf({ name, output, isError, images = [] }: FinishedCall, model: string): Part {
  const response = isError ? { error: output } : { output };
  const parts = isThird(model) && images.length > 0 && { parts: images.map(geminiImage) };
  return { functionResponse: { name, response, ...parts } };
}

export function geminiImage({ mime, data }: Pick<ChatImage, 'mime' | 'data'>): Part {
  return { inlineData: { mimeType: mime, data } };
}
