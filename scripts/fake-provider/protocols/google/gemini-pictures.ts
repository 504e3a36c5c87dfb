/** Gemini's call for pictures (https://ai.google.dev/gemini-api/docs/image-generation), and how it blocks. */
import * as z from 'zod';
import { respondWhole, sendJson, type FakeCall, type Protocol } from '../../protocol.ts';
import { paint } from '../painted.ts';
import { errorBody } from './google-errors.ts';

const ASK = /^\/v1beta\/models\/(.+):generateContent$/;

const Request = z.object({
  contents: z
    .array(
      z.object({
        parts: z.array(
          z.union([
            z.object({ text: z.string() }),
            z.object({ inlineData: z.object({ mimeType: z.string(), data: z.base64() }) }),
          ]),
        ),
      }),
    )
    .length(1),
  generationConfig: z.object({
    responseModalities: z.array(z.enum(['TEXT', 'IMAGE'])),
    imageConfig: z.object({ aspectRatio: z.enum(['1:1', '16:9', '9:16']) }),
  }),
});

const SIZES = { '1:1': [1024, 1024], '16:9': [1344, 768], '9:16': [768, 1344] } as const;

export const geminiPictures: Protocol = {
  serves: (method, path) => method === 'POST' && ASK.test(path),
  async respond(call) {
    const { data } = Request.safeParse(call.request.body);
    if (!data)
      return sendJson(
        call.line,
        400,
        errorBody({ status: 400, code: null, message: 'Invalid JSON payload received.' }),
      );
    const text = data.contents.flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text : ''))).join('');
    const script = call.script(call.choose('', text), text);
    if (script.kind !== 'stream') return respondWhole(script, call.line, errorBody);
    return sendJson(call.line, 200, answer(call, text, data.generationConfig.imageConfig.aspectRatio));
  },
};

function answer({ request }: FakeCall, text: string, ratio: keyof typeof SIZES): object {
  if (text.includes('fake:forbidden'))
    return {
      candidates: [
        {
          finishReason: 'IMAGE_SAFETY',
          finishMessage: 'Unable to show the generated image. The image may violate our policies.',
        },
      ],
    };
  if (text.includes('fake:blocked')) return { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } };
  if (text.includes('fake:words'))
    return {
      candidates: [
        { content: { role: 'model', parts: [{ text: 'I cannot draw that person.' }] }, finishReason: 'STOP' },
      ],
    };
  const [width, height] = SIZES[ratio];
  const inlineData = { mimeType: 'image/png', data: paint(width, height, request.id).toString('base64') };
  return {
    candidates: [
      { content: { role: 'model', parts: [{ text: 'Here it is:' }, { inlineData }] }, finishReason: 'STOP' },
    ],
  };
}
