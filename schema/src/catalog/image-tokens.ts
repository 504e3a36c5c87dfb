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

/** The prompt tokens of an image of this size in pixels, as it is sent. */
export function imageTokens(
  type: EndpointType,
  { width, height }: { width: number; height: number },
  detail: ImageDetail,
): number {
  if (type === 'anthropic') return Math.ceil((width * height) / PIXELS_PER_TOKEN);
  if (detail === 'low') return BASE;
  const fit = Math.min(1, LONGEST / Math.max(width, height));
  const scale = fit * Math.min(1, SHORTEST / (fit * Math.min(width, height)));
  const tiles = Math.ceil((width * scale) / TILE_SIZE) * Math.ceil((height * scale) / TILE_SIZE);
  return BASE + TILE * Math.max(1, tiles);
}
