import type { EndpointType } from './endpoints.ts';
import { byName, isNamed, type NamePiece } from './model-names.ts';

/** Name pieces of models that accept images (docs/rest-compat.md, Models and windows). */
const REFERENCE: readonly NamePiece[] = [
  'gpt-4-vision',
  'llava',
  'gemini-pro-vision',
  'claude-3',
  'gemini-1.5',
  'gpt-4-turbo',
];

/** Families that came later, under the names of their makers, of gateways and of Ollama. */
const LATER: readonly NamePiece[] = [
  // OpenAI
  /gpt-(?:4o|4\.[15]|[5-9])/,
  /(?:^|\/)o(?:[13](?!-mini|-preview)|4-mini)/,
  'computer-use-preview',
  'codex-mini',
  // Anthropic
  /claude-(?:[4-9]|opus|sonnet|haiku|fable|mythos)/,
  // Google
  /gemini-(?:[2-9]|exp|(?:pro|flash)(?:-lite)?-latest)/,
  /gemma-?[3-9](?![\d.]*n)(?![:-](?:1b|270m))/,
  // xAI: of Grok 1 to 3 only those that say so.
  /grok-[4-9]/,
  // Mistral
  'pixtral',
  /mistral-small(?:-?3\.[1-9]|-25(?:0[3-9]|1\d)|-2[6-9]\d\d|-latest)/,
  /mistral-medium(?:-?3|-25(?:0[5-9]|1\d)|-2[6-9]\d\d|-latest)/,
  /mistral-large(?:-?3|-2512|-2[6-9]\d\d|-latest)/,
  /ministral-?3|ministral-\d+b-(?:2512|2[6-9]\d\d|latest)/,
  /magistral-(?:small|medium)-(?:25(?:09|1\d)|2[6-9]\d\d|latest)/,
  // Meta
  /llama-?4/,
  // `qwen-vl-max`, `qwen2.5vl`, `deepseek-vl2`, `kimi-vl`; `glm-4.5v`; and all that say they see.
  /(?:^|[\d/_-])vl(?![a-z])/,
  /\b(?:glm-\d(?:\.\d)?|step-1|minicpm-)v(?![a-z])/,
  /(?:^|[/.-])vision/,
  /internvl|cogvlm|smolvlm|paligemma|idefics|moondream|molmo|qvq|multimodal/,
  // Amazon
  /nova-(?:lite|pro|premier)|nova-2/,
];

/** Match a piece above but accept no images. */
const BLIND: readonly NamePiece[] = ['gpt-4-turbo-preview', /gpt-4o(?:-mini)?-(?:audio|transcribe|tts)/, 'grok-code'];

/** Whether a model accepts images, judged by its name. */
export const takesImages = byName((model): boolean => {
  const name = model.toLowerCase();
  if (BLIND.some((piece) => isNamed(name, piece))) return false;
  return [...REFERENCE, ...LATER].some((piece) => isNamed(name, piece));
});

/** The models that existing clients expect to answer a question with images, by the beginning of their names. */
const FOR_PICTURES: Partial<Record<EndpointType, string>> = {
  openAI: 'gpt-4-vision-preview',
  azureOpenAI: 'gpt-4-vision-preview',
  custom: 'gpt-4-vision-preview',
  google: 'gemini-pro-vision',
  anthropic: 'claude-3-sonnet',
};

/** The model for a new question with images: where `model` accepts none, one of its endpoint's `models` that does. */
export function chooseVisionModel(type: EndpointType, model: string, models: readonly string[]): string {
  const wanted = FOR_PICTURES[type];
  if (wanted === undefined || takesImages(model)) return model;
  return models.find((name) => name.startsWith(wanted)) ?? model;
}
