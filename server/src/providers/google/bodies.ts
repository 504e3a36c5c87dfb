// Builds request bodies for Gemini, by its own API and by Vertex (docs/rest-compat.md, Provider requests).
import type { Content, GenerateContentRequest, Part, SafetySetting } from '@google/generative-ai';
import { endpointParams, withDefaults } from '@parley/schema/catalog/endpoints';
import { withContinuePrompt } from '../continue-prompt.ts';
import { hasCalls } from '../finished-calls.ts';
import type { ChatMessage, ProviderCall } from '../provider.ts';
import { formatConfig, geminiImage, stepContents, toolParams } from './tools.ts';

export function geminiBody(call: ProviderCall): GenerateContentRequest {
  return { ...contentBody(call), ...safetyOf(call), ...toolParams(call) };
}

/** Newer categories and thresholds than the client's types know are sent as they are. */
function safetyOf({ target }: ProviderCall): Pick<GenerateContentRequest, 'safetySettings'> {
  const { safety = [] } = target.google ?? {};
  return safety.length > 0 ? { safetySettings: [...safety] as SafetySetting[] } : {};
}

function contentBody(call: ProviderCall): GenerateContentRequest {
  const { model, settings, messages, maxTokens, stop, seed, thinks } = call;
  const { temperature, topP, topK, maxOutputTokens } = withDefaults(endpointParams('google', model), settings);
  const instructions = typeof settings.promptPrefix === 'string' ? settings.promptPrefix.trim() : '';
  const contents = alternating(withContinuePrompt(messages), model);
  const generationConfig = {
    temperature: Number(temperature),
    topP: Number(topP),
    topK: Number(topK),
    maxOutputTokens: maxTokens ?? Number(maxOutputTokens),
    ...(stop && { stopSequences: [...stop] }),
    ...(seed !== undefined && { seed: seed | 0 }),
    ...formatConfig(call),
    // Reasoning is generated and billed unless a program turns it off.
    ...(thinksByItself(model) && {
      thinkingConfig: thinks === false ? { thinkingBudget: 0 } : { includeThoughts: true },
    }),
  };
  if (instructions === '') return { contents, generationConfig };
  if (isFirstGeneration(model)) return { contents: withPreface(contents, instructions), generationConfig };
  return { systemInstruction: { role: 'system', parts: [{ text: instructions }] }, contents, generationConfig };
}

/**
 * Gemini thinks from 2.5 on, and so do the newest aliases, which have no number. The lightest models and those for
 * images or speech refuse `includeThoughts`.
 */
function thinksByItself(model: string): boolean {
  return (
    /^gemini-(?:2\.5|[3-9]|(?:pro|flash)-latest)/.test(model) &&
    !/-(?:lite|image|tts|live|native-audio|computer-use)\b/.test(model)
  );
}

/** The first Gemini models refuse system instructions: these go before the first question. */
function isFirstGeneration(model: string): boolean {
  return /^gemini-(?:1\.0|pro(?!-latest))/.test(model);
}

function withPreface(contents: Content[], instructions: string): Content[] {
  return contents.map((content, index) =>
    index === 0 ? { ...content, parts: [{ text: `${instructions}\n\n` }, ...content.parts] } : content,
  );
}

/** Merges consecutive turns of one role, and makes the first turn a user's. */
function alternating(messages: readonly ChatMessage[], model: string): Content[] {
  const turns: Content[] = [];
  for (const { role, parts } of messages.flatMap((message) => contentsOf(message, model))) {
    const last = turns.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else if (last || role === 'user') turns.push({ role, parts });
  }
  return turns;
}

function contentsOf(message: ChatMessage, model: string): Content[] {
  if (hasCalls(message)) return stepContents(message, model);
  return [{ role: message.role === 'user' ? 'user' : 'model', parts: partsOf(message) }];
}

function partsOf({ content, images = [], files = [] }: ChatMessage): Part[] {
  const imageParts = [...files, ...images].map(geminiImage);
  return content === '' && imageParts.length > 0 ? imageParts : [...imageParts, { text: content }];
}
