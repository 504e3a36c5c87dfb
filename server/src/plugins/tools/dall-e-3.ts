// DALL-E 3, or the image model that stands in its place.
import { credential, httpUrl, text } from '../../config/env/env-readers.ts';
import { argumentsSchema } from '../../providers/tool-spec.ts';
import { imagesConfig, makeImage, chooseImageModel } from '../images-api.ts';
import { field, definePlugin } from '../define-plugin.ts';

const DESCRIPTION =
  'Makes a picture from a description. Write the prompt in English and in detail: subject, place, style, light, colours. ' +
  'Make one picture for each thing that is asked for. The picture is shown to the reader: describe it in a sentence, ' +
  'without a link.';

const SIZES = ['1024x1024', '1792x1024', '1024x1792'] as const;
/** What DALL-E's sizes and qualities are called by the gpt-image models. */
const NEWER_SIZES: Readonly<Record<string, string>> = { '1792x1024': '1536x1024', '1024x1792': '1024x1536' };
const NEWER_QUALITIES: Readonly<Record<string, string>> = { standard: 'medium', hd: 'high' };

export const dallE3 = definePlugin({
  key: 'dalle',
  name: 'DALL-E-3',
  description: 'Makes pictures with DALL-E 3, or with the image model that your key offers in its place.',
  fields: [field(['DALLE3_API_KEY', 'DALLE_API_KEY'], 'OpenAI API key', 'A key that may make images.')],
  isForAssistants: true,
  env: {
    DALLE_REVERSE_PROXY: httpUrl,
    DALLE3_BASEURL: httpUrl,
    DALLE3_AZURE_API_VERSION: credential,
    DALLE3_SYSTEM_PROMPT: text,
    DALLE_MODEL: credential,
  },
  tools: (context) => [
    {
      name: 'dalle',
      description: context.env.DALLE3_SYSTEM_PROMPT ?? DESCRIPTION,
      parameters: argumentsSchema(
        {
          prompt: { type: 'string', description: 'What the picture shows, in detail.', maxLength: 4000 },
          style: { type: 'string', enum: ['vivid', 'natural'], default: 'vivid' },
          quality: { type: 'string', enum: ['standard', 'hd'], default: 'standard' },
          size: { type: 'string', enum: [...SIZES], description: 'Square, wide or tall.', default: '1024x1024' },
        },
        ['prompt'],
      ),
      isRepeatable: false,
      timeoutMs: 155_000,
      async run({ args, userId, signal }) {
        const { DALLE3_BASEURL: url, DALLE_REVERSE_PROXY: proxy, DALLE3_AZURE_API_VERSION: version } = context.env;
        const config = imagesConfig(url ?? proxy, version, context.env.DALLE_MODEL);
        const key = context.valueOf('DALLE3_API_KEY');
        const model = await chooseImageModel(context, { config, key, signal });
        return makeImage(context, { config, key, name: 'dalle', body: bodyOf(model, args), userId, signal });
      },
    },
  ],
});

function bodyOf(model: string, args: Record<string, unknown>): { prompt: string } & Record<string, unknown> {
  const prompt = String(args.prompt);
  const size = SIZES.find((one) => one === args.size) ?? '1024x1024';
  const quality = args.quality === 'hd' ? 'hd' : 'standard';
  if (!model.startsWith('dall-e'))
    return { model, prompt, n: 1, size: NEWER_SIZES[size] ?? size, quality: NEWER_QUALITIES[quality] };
  const style = args.style === 'natural' ? 'natural' : 'vivid';
  return { model, prompt, n: 1, size, quality, style, response_format: 'b64_json' };
}
