import { imageTokens } from '@parley/schema/catalog/image-tokens';
import { expect, it } from 'vitest';

it.each([
  // OpenAI's own examples: a square of 1024 is scaled to 768, and 2048 by 4096 to 768 by 1536.
  ['openAI', 'gpt-4o', 1024, 1024, 'high', 765],
  ['openAI', 'gpt-4o', 2048, 4096, 'high', 1105],
  ['openAI', 'gpt-4o', 4096, 8192, 'low', 85],
  ['openAI', 'gpt-4o', 512, 512, 'auto', 255],
  ['azureOpenAI', 'gpt-4o', 513, 512, 'auto', 425],
  ['custom', 'pixtral-large-latest', 40, 30, 'auto', 255],
  ['anthropic', 'claude-sonnet-4-5', 1000, 750, 'low', 1000],
  ['anthropic', 'claude-3-opus-20240229', 200, 200, 'auto', 54],
  // Google's own example: 960 by 540 has 3 by 2 tiles of 360.
  ['google', 'gemini-2.5-flash', 960, 540, 'auto', 6 * 258],
  ['google', 'gemini-2.0-flash', 384, 384, 'auto', 258],
  ['google', 'gemini-2.5-pro', 2000, 768, 'auto', 4 * 2 * 258],
  ['google', 'gemini-1.5-pro', 960, 540, 'auto', 258],
  ['google', 'gemini-pro-vision', 960, 540, 'auto', 258],
  ['google', 'gemini-3-pro-preview', 40, 30, 'auto', 1120],
  ['google', 'gemini-flash-latest', 40, 30, 'auto', 1120],
] as const)(
  'a picture to %s, %s, of %i by %i pixels, detail %s: %i tokens',
  (type, model, width, height, detail, n) => {
    expect(imageTokens(type, model, { width, height }, detail)).toBe(n);
  },
);
