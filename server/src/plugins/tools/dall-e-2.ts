// DALL-E 2: square pictures of 512 pixels.
import { makeImage } from '../images-api.ts';
import type { CreatePluginTools } from '../plugin-tool.ts';

const DESCRIPTION =
  'Makes a small square picture from a description in words, such as its subject, style, light and mood. The picture is ' +
  'shown to the reader: describe it in a sentence, without a link.';

export const createDallE2Tools: CreatePluginTools = (context) => [
  {
    name: 'dall-e',
    description: context.config.dalle2.description ?? DESCRIPTION,
    parameters: {
      type: 'object',
      properties: { prompt: { type: 'string', description: 'What the picture shows.', maxLength: 1000 } },
      required: ['prompt'],
    },
    isRepeatable: false,
    timeoutMs: 125_000,
    run: ({ args, userId, signal }) =>
      makeImage(context, {
        config: context.config.dalle2,
        key: context.valueOf('DALLE2_API_KEY'),
        name: 'dall-e',
        body: { model: 'dall-e-2', prompt: String(args.prompt), n: 1, size: '512x512', response_format: 'b64_json' },
        userId,
        signal,
      }),
  },
];
