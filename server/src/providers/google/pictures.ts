// Pictures of Gemini: a call for content that may answer with pictures only.
// https://ai.google.dev/gemini-api/docs/image-generation
import * as z from 'zod';
import { parseJson } from '@parley/schema/json';
import { readBounded } from '../../platform/deadline.ts';
import { Refusal, refuse } from '../../platform/errors.ts';
import { PICTURE_ANSWER_MAX, type PictureCall, type PictureDelta } from '../pictures.ts';
import { post } from '../sse-client.ts';
import { accessTokenFor } from './access-token.ts';
import { reasonOfGoogle } from './failure.ts';

const Part = z.object({
  text: z.string().nullish(),
  thought: z.boolean().nullish(),
  inlineData: z.object({ mimeType: z.string().nullish(), data: z.string() }).nullish(),
});
const Answer = z.object({
  candidates: z
    .array(
      z.object({
        content: z.object({ parts: z.array(Part).nullish() }).nullish(),
        finishReason: z.string().nullish(),
        finishMessage: z.string().nullish(),
      }),
    )
    .nullish(),
  promptFeedback: z.object({ blockReason: z.string().nullish(), blockReasonMessage: z.string().nullish() }).nullish(),
});

const RATIOS = { square: '1:1', wide: '16:9', tall: '9:16' } as const;

export async function* geminiPicture(call: PictureCall, signal: AbortSignal): AsyncGenerator<PictureDelta> {
  try {
    const response = await send(call, signal);
    const body = await readBounded(response, PICTURE_ANSWER_MAX, () => new Refusal({ type: 'provider_malformed' }));
    yield pictureIn(Answer.safeParse(parseJson(body.toString())).data);
  } catch (error) {
    if (signal.aborted) throw error;
    throw new Refusal(reasonOfGoogle(error, call.target.endpoint));
  }
}

async function send({ target, model, prompt, size, sources }: PictureCall, signal: AbortSignal): Promise<Response> {
  const { baseURL, apiKey, serviceKey, google, endpoint } = target;
  const images = sources.map(({ bytes, mime }) => ({
    inlineData: { mimeType: mime, data: Buffer.from(bytes).toString('base64') },
  }));
  const body = JSON.stringify({
    contents: [{ role: 'user', parts: [...images, { text: prompt }] }],
    generationConfig: { responseModalities: ['TEXT', 'IMAGE'], imageConfig: { aspectRatio: RATIOS[size] } },
    ...(google && google.safety.length > 0 && { safetySettings: google.safety }),
  });
  const json = { 'content-type': 'application/json' };
  const common = { body, signal, endpoint };
  if (!serviceKey || !google) {
    const url = `${baseURL}/v1beta/models/${encodeURIComponent(model)}:generateContent`;
    return post({ ...common, url, headers: { ...json, 'x-goog-api-key': apiKey } });
  }
  const token = await accessTokenFor(serviceKey, endpoint, signal);
  const resource = `projects/${serviceKey.projectId}/locations/${google.location}/publishers/google/models/${model}`;
  const headers = { ...json, authorization: `Bearer ${token}` };
  return post({ ...common, url: `${baseURL}/v1/${resource}:generateContent`, headers });
}

/** @throws Refusal with the model's sentence where there is no picture */
function pictureIn(answer: z.infer<typeof Answer> | undefined): PictureDelta {
  const [candidate] = answer?.candidates ?? [];
  const parts = candidate?.content?.parts?.filter(({ thought }) => !thought) ?? [];
  const data = parts.findLast(({ inlineData }) => inlineData)?.inlineData?.data;
  if (data) return { type: 'picture', from: { bytes: Buffer.from(data, 'base64') } };
  if (!answer) return refuse({ type: 'provider_malformed' });
  const said = parts
    .map(({ text }) => text ?? '')
    .join('')
    .trim();
  const sentence = candidate?.finishMessage ?? answer.promptFeedback?.blockReasonMessage ?? said;
  if (sentence === '') return refuse({ type: 'content_filtered' });
  return refuse({ type: 'provider_refused', status: 400, text: sentence.slice(0, 500) });
}
