// What a client wants to have read aloud.
import { parseJson } from '@parley/schema/json';
import { SPEED, SPOKEN_CHARS_MAX } from '@parley/schema/speech/limits';
import * as z from 'zod';
import { readText } from '../http/request-body.ts';
import { refuse } from '../platform/errors.ts';

/** A form with the longest text at three bytes a character, and room for what clients send beside it. */
const FORM_BYTES_MAX = 4 * SPOKEN_CHARS_MAX;

const Spoken = z.object({
  input: z.string().trim().min(1).max(SPOKEN_CHARS_MAX),
  voice: z.string().max(200).nullish(),
  speed: z.coerce.number().min(SPEED.min).max(SPEED.max).nullish(),
});

/** @throws Refusal, or a ZodError, for what is no such request */
export async function readSpoken(request: Request): Promise<z.output<typeof Spoken>> {
  return Spoken.parse(await readFields(request));
}

/** JSON, or a form of either kind. */
async function readFields(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  const read = await readText(request, FORM_BYTES_MAX, null);
  if (typeof read === 'string') return refuse({ type: 'invalid_input', text: 'The text is too long.' });
  if (!/^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(type)) return parseJson(read.text);
  const form = await new Response(read.text, { headers: { 'content-type': type } }).formData().catch(() => null);
  return form && Object.fromEntries(form);
}
