// DALL-E 2: square images of 512 pixels.
import { credential, httpUrl, text } from '../../config/env/env-readers.ts';
import { argumentsSchema } from '../../providers/tool-spec.ts';
import { imagesConfig, makeImage } from '../images-api.ts';
import { field, definePlugin } from '../define-plugin.ts';

const DESCRIPTION =
  'Makes a small square picture from a description in words, such as its subject, style, light and mood. The picture is ' +
  'shown to the reader: describe it in a sentence, without a link.';

export const dallE2 = definePlugin({
  key: 'dall-e',
  name: 'DALL-E',
  description: 'Makes pictures of 512 by 512 pixels with DALL-E 2, where it is still offered.',
  fields: [field(['DALLE2_API_KEY', 'DALLE_API_KEY'], 'OpenAI API key', 'A key that may use the model dall-e-2.')],
  isForAssistants: false,
  env: {
    DALLE_REVERSE_PROXY: httpUrl,
    DALLE2_BASEURL: httpUrl,
    DALLE2_AZURE_API_VERSION: credential,
    DALLE2_SYSTEM_PROMPT: text,
  },
  tools: (context) => [
    {
      name: 'dall-e',
      description: context.env.DALLE2_SYSTEM_PROMPT ?? DESCRIPTION,
      parameters: argumentsSchema({
        prompt: { type: 'string', description: 'What the picture shows.', maxLength: 1000 },
      }),
      isRepeatable: false,
      timeoutMs: 125_000,
      run: ({ args, userId, signal }) =>
        makeImage(context, {
          config: imagesConfig(
            context.env.DALLE2_BASEURL ?? context.env.DALLE_REVERSE_PROXY,
            context.env.DALLE2_AZURE_API_VERSION,
            'dall-e-2',
          ),
          key: context.valueOf('DALLE2_API_KEY'),
          name: 'dall-e',
          body: { model: 'dall-e-2', prompt: String(args.prompt), n: 1, size: '512x512', response_format: 'b64_json' },
          userId,
          signal,
        }),
    },
  ],
});
