import type { EndpointType } from './endpoints.ts';

export type ImageDetail = 'low' | 'auto' | 'high';

/** OpenAI's price of an image: a base, and so much for each tile of this size (docs/rest-compat.md, Images). */
const BASE_TOKENS = 85;
const TILE_TOKENS = 170;
const TILE_SIDE_PX = 512;
const LONG_SIDE_MAX_PX = 2048;
const SHORT_SIDE_MAX_PX = 768;
/** Anthropic's: pixels for one token. */
const PIXELS_PER_TOKEN = 750;
/**
 * Gemini's, as ai.google.dev has them. Up to 384 pixels an image has 258 tokens; above, each of its tiles has, whose
 * side is two thirds of the picture's shorter one (Image understanding, Token calculation) within the bounds that
 * Vertex's documentation of images adds. Before 2.0 every image had 258 (Understand and count tokens). From 3 on it has
 * the 1,120 of the default resolution (Media resolution, Token counts).
 */
const GEMINI_TILE_TOKENS = 258;
const GEMINI_SMALL_SIDE_MAX_PX = 384;
const GEMINI_CROP = { ratio: 1.5, min: 256, max: 768 };
const GEMINI_3 = 1120;

interface Size {
  width: number;
  height: number;
}

/** The prompt tokens of an image of this size in pixels, as it is sent to a model of this kind of endpoint. */
export function imageTokens(type: EndpointType, model: string, size: Size, detail: ImageDetail): number {
  const { width, height } = size;
  if (type === 'anthropic') return Math.ceil((width * height) / PIXELS_PER_TOKEN);
  if (type === 'google') return geminiTokens(model, size);
  if (detail === 'low') return BASE_TOKENS;
  const fit = Math.min(1, LONG_SIDE_MAX_PX / Math.max(width, height));
  const scale = fit * Math.min(1, SHORT_SIDE_MAX_PX / (fit * Math.min(width, height)));
  const tiles = Math.ceil((width * scale) / TILE_SIDE_PX) * Math.ceil((height * scale) / TILE_SIDE_PX);
  return BASE_TOKENS + TILE_TOKENS * Math.max(1, tiles);
}

function geminiTokens(model: string, { width, height }: Size): number {
  const version = Number(/gemini-(\d+)/.exec(model)?.[1] ?? (model.includes('latest') ? 3 : 1));
  if (version >= 3) return GEMINI_3;
  if (version < 2 || Math.max(width, height) <= GEMINI_SMALL_SIDE_MAX_PX) return GEMINI_TILE_TOKENS;
  const { ratio, min, max } = GEMINI_CROP;
  const crop = Math.max(min, Math.min(max, Math.floor(Math.min(width, height) / ratio)));
  return GEMINI_TILE_TOKENS * Math.ceil(width / crop) * Math.ceil(height / crop);
}
