import { readModelList, type ListedModel, type ModelSource } from '../model-source.ts';

/**
 * Models that make images, speech or videos, transcribe, embed, or judge texts, by the names that OpenAI gives them
 * (https://platform.openai.com/docs/models). They stand in the same list and cannot be asked in a chat.
 */
const WITHOUT_CHAT =
  /(?:^|\/)(?:dall-e-|gpt-image-|chatgpt-image-|sora-|whisper-|tts-|gpt-audio|gpt-realtime|text-embedding-|text-moderation-|omni-moderation-|gpt-4o-(?:mini-)?(?:tts|transcribe|realtime|audio))/;

/** The model list of OpenAI and compatible providers. */
export function openAIModels(baseURL: string, apiKey: string): ModelSource {
  const read = (response: unknown) => readModelList(response).filter(({ id }) => !WITHOUT_CHAT.test(id));
  return { url: `${baseURL}/models`, headers: { authorization: `Bearer ${apiKey}` }, read };
}

/**
 * OpenAI's list has many models without chat; completion models come last (docs/rest-compat.md, Models and windows).
 */
export function onlyChat(source: ModelSource): ModelSource {
  return { ...source, read: (response) => chatModels(source.read(response)) };
}

function chatModels(models: ListedModel[]): ListedModel[] {
  const chat = models.filter(({ id }) => /gpt-|text-davinci-003|^o\d/.test(id));
  return chat.toSorted((a, b) => Number(a.id.includes('instruct')) - Number(b.id.includes('instruct')));
}

/**
 * The models offered when neither the configuration nor OpenAI lists any (docs/rest-compat.md, Models and windows);
 * Azure uses the same names.
 */
export const OPENAI_MODELS = [
  'gpt-3.5-turbo-0125',
  'gpt-3.5-turbo-16k-0613',
  'gpt-3.5-turbo-16k',
  'gpt-4-turbo-preview',
  'gpt-4-0125-preview',
  'gpt-4-1106-preview',
  'gpt-3.5-turbo',
  'gpt-3.5-turbo-1106',
  'gpt-4-vision-preview',
  'gpt-4',
  'gpt-3.5-turbo-instruct-0914',
  'gpt-3.5-turbo-0613',
  'gpt-3.5-turbo-0301',
  'gpt-3.5-turbo-instruct',
  'gpt-4-0613',
  'text-davinci-003',
  'gpt-4-0314',
];
