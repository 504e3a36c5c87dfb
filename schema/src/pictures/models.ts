// Tests of this room: tests/unit/schema, tests/integration/pictures.

// What models can do that make pictures, and what a picture costs: the one table for server and browser.
import type { PicturePrices } from '../catalog/prices.ts';
import type { EndpointConfig } from '../catalog/startup.ts';

export const PICTURE_SIZES = ['square', 'wide', 'tall'] as const;
export type PictureSize = (typeof PICTURE_SIZES)[number];
export const PICTURE_QUALITIES = ['draft', 'fine'] as const;
export type PictureQuality = (typeof PICTURE_QUALITIES)[number];

/** Pictures of one answer. */
export const PICTURES_MAX = 4;
/** Pictures that one answer begins with. */
export const SOURCES_MAX = 4;

/** What a person chooses of the pictures of an answer. */
export interface PictureOptions {
  n: number;
  size: PictureSize;
  quality: PictureQuality;
}

export const PICTURE_DEFAULTS: PictureOptions = { n: 1, size: 'square', quality: 'draft' };

export interface PictureModel {
  /** It changes pictures that it is given. */
  edits: boolean;
  /** It changes only a place of them. */
  masks: boolean;
  /** It answers with words, too, and is asked in a chat unless pictures are asked for. */
  chats: boolean;
  /** It sends what there is of a picture before it is finished. */
  streams: boolean;
  /** It is told the quality. */
  qualities: Readonly<Record<PictureQuality, string>> | null;
  sizes: Readonly<Record<PictureSize, readonly [width: number, height: number]>>;
  /** Credits a picture, by quality: square, then wide and tall. Null where nobody knows. */
  credits: PicturePrices | null;
}

const GPT_SIZES = { square: [1024, 1024], wide: [1536, 1024], tall: [1024, 1536] } as const;
const GPT = {
  edits: true,
  masks: true,
  chats: false,
  streams: true,
  qualities: { draft: 'low', fine: 'high' },
  sizes: GPT_SIZES,
} as const;
/** Its ratios 16:9 and 9:16: https://ai.google.dev/gemini-api/docs/image-generation, "Aspect ratios". */
const GEMINI = {
  edits: true,
  masks: false,
  chats: true,
  streams: false,
  qualities: null,
  sizes: { square: [1024, 1024], wide: [1344, 768], tall: [768, 1344] },
} as const;
const SAME = (credits: number) => ({ draft: [credits, credits], fine: [credits, credits] }) as const;

/**
 * By the model's name; the last row that matches wins. OpenAI: https://platform.openai.com/docs/pricing, "Image
 * generation", for the output of one picture. Google: https://ai.google.dev/gemini-api/docs/pricing.
 */
const MODELS: readonly (readonly [match: RegExp, model: PictureModel])[] = [
  [
    /(?:^|\/)dall-e-2/,
    {
      ...GPT,
      streams: false,
      qualities: null,
      sizes: { square: [1024, 1024], wide: [1024, 1024], tall: [1024, 1024] },
      credits: SAME(20_000),
    },
  ],
  [
    /(?:^|\/)dall-e-3/,
    {
      ...GPT,
      edits: false,
      masks: false,
      streams: false,
      qualities: { draft: 'standard', fine: 'hd' },
      sizes: { square: [1024, 1024], wide: [1792, 1024], tall: [1024, 1792] },
      credits: { draft: [40_000, 80_000], fine: [80_000, 120_000] },
    },
  ],
  [/gpt-image/, { ...GPT, credits: { draft: [11_000, 16_000], fine: [167_000, 250_000] } }],
  [/gpt-image-1-mini/, { ...GPT, credits: { draft: [5000, 6000], fine: [36_000, 52_000] } }],
  [/gpt-image-1\.5/, { ...GPT, credits: { draft: [9000, 13_000], fine: [133_000, 200_000] } }],
  [/gemini-\S{0,40}-image/, { ...GEMINI, credits: SAME(39_000) }],
  [/gemini-3\S{0,20}-pro-image/, { ...GEMINI, credits: SAME(134_000) }],
];

/** Names of picture models that compatible servers offer. */
const MAKES_PICTURES =
  /flux|stable-?diffusion|sdxl|(?:^|[/_-])sd-?[123]|imagen|qwen-image|hidream|z-image|recraft|ideogram|seedream|kolors|pixart|dreamshaper|(?:^|[/_-])image(?:$|[/_-])/i;
/** Those of them that change pictures. */
const CHANGES_PICTURES = /kontext|(?:^|[/_-])edit(?:$|[/_-])|seedream/i;

/** What a model can do that makes pictures and that no row names. */
function unnamed(model: string): PictureModel {
  const edits = CHANGES_PICTURES.test(model);
  return { ...GPT, edits, masks: false, streams: false, qualities: null, credits: null };
}

function rowOf(model: string): PictureModel | undefined {
  return MODELS.findLast(([match]) => match.test(model))?.[1];
}

/** What a model of these endpoints can do; null for one that makes no pictures there. */
export function findPictureModel(
  { pictures }: Pick<EndpointConfig, 'pictures'>,
  model: string | null | undefined,
): PictureModel | null {
  if (!model || pictures === undefined) return null;
  const isOne = pictures === true ? rowOf(model) !== undefined || MAKES_PICTURES.test(model) : pictures.includes(model);
  return isOne ? (rowOf(model) ?? unnamed(model)) : null;
}

/** What a picture costs by the table, or by prices of the same form; undefined where nobody knows. */
export function pictureCredits(
  { credits }: Pick<PictureModel, 'credits'>,
  { size, quality }: Pick<PictureOptions, 'size' | 'quality'>,
): number | undefined {
  return credits?.[quality][size === 'square' ? 0 : 1];
}
