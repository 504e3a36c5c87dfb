/** Images as scenarios see them: as lines of the question, so that `echo` answers with what the model was shown. */
import * as z from 'zod';

const MIME = z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const Base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/);

/** A content block of Anthropic's with an image. */
export const AnthropicImage = z
  .object({
    type: z.literal('image'),
    source: z.object({ type: z.literal('base64'), media_type: MIME, data: Base64 }),
  })
  .transform(({ source }) => imageLine(source.media_type, source.data));

/** A part of Gemini's with an image or a PDF. */
export const GeminiImage = z
  .object({ inlineData: z.object({ mimeType: z.enum([...MIME.options, 'application/pdf']), data: Base64 }) })
  .transform(({ inlineData }) => imageLine(inlineData.mimeType, inlineData.data));

/** A content block of Anthropic's with a PDF. */
export const AnthropicDocument = z
  .object({
    type: z.literal('document'),
    source: z.object({ type: z.literal('base64'), media_type: z.literal('application/pdf'), data: Base64 }),
    title: z.string().optional(),
  })
  .transform(({ source }) => imageLine(source.media_type, source.data));

/** One image: its type and the size of its bytes. */
export function imageLine(mime: string, data: string): string {
  return seenLine(mime, Buffer.byteLength(data, 'base64'));
}

export function seenLine(mime: string, bytes: number): string {
  return `[saw ${mime} of ${bytes} bytes]`;
}
