// What Gemini is sent, by either door (E.1 of the REST facts).
import type { Content, GenerateContentRequest } from '@google/generative-ai';
import { paramsOf, withDefaults } from '@parley/schema/endpoints';
import { askingToGoOn } from '../going-on.ts';
import type { ChatMessage, ProviderCall } from '../provider.ts';

export function geminiBody({ model, settings, messages, maxTokens }: ProviderCall): GenerateContentRequest {
  const { temperature, topP, topK, maxOutputTokens } = withDefaults(paramsOf('google', model), settings);
  const instructions = textOf(settings.promptPrefix);
  const contents = alternating(askingToGoOn(messages));
  const generationConfig = {
    temperature: Number(temperature),
    topP: Number(topP),
    topK: Number(topK),
    maxOutputTokens: maxTokens ?? Number(maxOutputTokens),
    // They are made and paid for in any case.
    ...(thinksByItself(model) && { thinkingConfig: { includeThoughts: true } }),
  };
  if (instructions === '') return { contents, generationConfig };
  if (isFirstGeneration(model)) return { contents: withPreface(contents, instructions), generationConfig };
  return { systemInstruction: { role: 'system', parts: [{ text: instructions }] }, contents, generationConfig };
}

/**
 * Gemini thinks from 2.5 on, and so do the newest of each kind, which have no number. Its lightest models and those that
 * draw or speak refuse to tell of it.
 */
function thinksByItself(model: string): boolean {
  return (
    /^gemini-(?:2\.5|[3-9]|(?:pro|flash)-latest)/.test(model) &&
    !/-(?:lite|image|tts|live|native-audio|computer-use)\b/.test(model)
  );
}

/** The first Gemini models refuse instructions of their own: they hear them before the first question. */
function isFirstGeneration(model: string): boolean {
  return /^gemini-(?:1\.0|pro(?!-latest))/.test(model);
}

function withPreface(contents: Content[], instructions: string): Content[] {
  return contents.map((content, index) =>
    index === 0 ? { ...content, parts: [{ text: `${instructions}\n\n` }, ...content.parts] } : content,
  );
}

/** Turns of one side become one turn, and the first turn is a person's. */
function alternating(messages: readonly ChatMessage[]): Content[] {
  const turns: Content[] = [];
  for (const { role, content } of messages) {
    const side = role === 'user' ? 'user' : 'model';
    const last = turns.at(-1);
    if (last?.role === side) last.parts.push({ text: content });
    else if (last || side === 'user') turns.push({ role: side, parts: [{ text: content }] });
  }
  return turns;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
