// Tools by Gemini: what is offered, and calls of earlier steps.
import type { Content, Part } from '@google/generative-ai';
import { callArguments } from '../finished-calls.ts';
import type { ChatImage, ChatMessage, FinishedCall, ProviderCall } from '../provider.ts';

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
    ...(toolChoice && { toolConfig: { functionCallingConfig: { mode: 'NONE' } } }),
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
  const isSigned = calls.some(({ signature }) => signature !== undefined);
  const asked = calls.map((call, index) => {
    const signature = call.signature ?? (index === 0 && !isSigned && isThird(model) ? UNSIGNED : undefined);
    const functionCall = { name: call.name, args: callArguments(call) };
    return { functionCall, ...(signature !== undefined && { thoughtSignature: signature }) };
  });
  const imageParts = isThird(model) ? [] : calls.flatMap(({ images = [] }) => images.map(geminiImage));
  return [
    { role: 'model', parts: [...said, ...asked] },
    { role: 'user', parts: [...calls.map((call) => resultOf(call, model)), ...imageParts] },
  ];
}

function resultOf({ name, output, isError, images = [] }: FinishedCall, model: string): Part {
  const response = isError ? { error: output } : { output };
  const parts = isThird(model) && images.length > 0 && { parts: images.map(geminiImage) };
  return { functionResponse: { name, response, ...parts } };
}

export function geminiImage({ mime, data }: Pick<ChatImage, 'mime' | 'data'>): Part {
  return { inlineData: { mimeType: mime, data } };
}
