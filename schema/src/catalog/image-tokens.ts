import type { EndpointType } from './endpoints.ts';

export type ImageDetail = 'low' | 'auto' | 'high';

/** OpenAI's price of a picture: a base, and so much for each tile of this size (docs/rest-compat.md, Images). */
const BASE = 85;
const TILE = 170;
const TILE_SIZE = 512;
const LONGEST = 2048;
const SHORTEST = 768;
/** Anthropic's: pixels for one token. */
const PIXELS_PER_TOKEN = 750;
/**
 * Gemini's, as ai.google.dev has them. Up to 384 pixels a picture has 258 tokens; above, each of its tiles has, whose
 * side is two thirds of the picture's shorter one (Image understanding, Token calculation) within the bounds that
 * Vertex's documentation of images adds. Before 2.0 every picture had 258 (Understand and count tokens). From 3 on it has
 * the 1,120 of the default resolution (Media resolution, Token counts).
 */
const GEMINI_TILE = 258;
const GEMINI_SMALL = 384;
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
  if (detail === 'low') return BASE;
  const fit = Math.min(1, LONGEST / Math.max(width, height));
  const scale = fit * Math.min(1, SHORTEST / (fit * Math.min(width, height)));
  const tiles = Math.ceil((width * scale) / TILE_SIZE) * Math.ceil((height * scale) / TILE_SIZE);
  return BASE + TILE * Math.max(1, tiles);
}

function geminiTokens(model: string, { width, height }: Size): number {
  const version = Number(/gemini-(\d+)/.exec(model)?.[1] ?? (model.includes('latest') ? 3 : 1));
  if (version >= 3) return GEMINI_3;
  if (version < 2 || Math.max(width, height) <= GEMINI_SMALL) return GEMINI_TILE;
  const { ratio, min, max } = GEMINI_CROP;
  const crop = Math.max(min, Math.min(max, Math.floor(Math.min(width, height) / ratio)));
  return GEMINI_TILE * Math.ceil(width / crop) * Math.ceil(height / crop);
}
