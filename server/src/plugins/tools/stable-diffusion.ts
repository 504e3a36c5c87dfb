// A Stable Diffusion web UI, asked by its API.
import * as z from 'zod';
import { withoutTrailingSlash } from '../../config/addresses.ts';
import { argumentsSchema } from '../../providers/tool-spec.ts';
import { callServiceForJson, ServiceFailure } from '../../tools/call-service.ts';
import { address, definePlugin } from '../define-plugin.ts';

const Reply = z.object({ images: z.array(z.string()) });
/** An image of 1024 pixels takes minutes without a fast card. */
const TIMEOUT_MS = 300_000;
const MAX_BYTES = 32 * 1024 * 1024;
const SAMPLER = 'DPM++ 2M Karras';

export const stableDiffusion = definePlugin({
  key: 'stable-diffusion',
  name: 'Stable Diffusion',
  description: 'Makes pictures with a Stable Diffusion web UI of your own.',
  fields: [address('SD_WEBUI_URL', 'Stable Diffusion URL', 'The address of a web UI that was started with --api.')],
  isForAssistants: true,
  tools: ({ service, valueOf, keepImage }) => [
    {
      name: 'stable-diffusion',
      description:
        'Makes a picture. Describe in at least seven comma-separated keywords what it shows, and in others what it must not ' +
        'show. The picture is shown to the reader: describe it in a sentence, without a link.',
      parameters: argumentsSchema({
        prompt: { type: 'string', description: 'Keywords of what the picture shows.', maxLength: 4000 },
        negative_prompt: { type: 'string', description: 'Keywords of what it must not show.', maxLength: 4000 },
      }),
      isRepeatable: false,
      timeoutMs: TIMEOUT_MS + 5000,
      async run({ args, userId, signal }) {
        const prompt = String(args.prompt);
        const { images } = await callServiceForJson(service, Reply, {
          url: `${withoutTrailingSlash(valueOf('SD_WEBUI_URL'))}/sdapi/v1/txt2img`,
          body: {
            prompt,
            negative_prompt: String(args.negative_prompt ?? ''),
            sampler_index: SAMPLER,
            sampler_name: SAMPLER,
            cfg_scale: 4.5,
            steps: 22,
            width: 1024,
            height: 1024,
          },
          timeoutMs: TIMEOUT_MS,
          maxBytes: MAX_BYTES,
          signal,
        });
        const [first] = images;
        if (!first) throw new ServiceFailure('Stable Diffusion made no picture.');
        const bytes = Buffer.from(first.replace(/^data:[^,]*,/, ''), 'base64');
        const image = await keepImage(userId, bytes, { name: 'stable-diffusion', prompt });
        return { type: 'done', text: 'The picture is made and shown to the reader.', outputs: [image] };
      },
    },
  ],
});
