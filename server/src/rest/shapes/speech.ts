import { SPEED, SPOKEN_CHARS_MAX } from '@parley/schema/speech/limits';
import * as z from 'zod';
import { Text } from './shapes.ts';

export const RecordingForm = z.object({ audio: z.string().meta({ contentMediaType: 'application/octet-stream' }) });
export const Written = z.object({ text: Text });
export const SpokenForm = z.object({
  input: z.string().min(1).max(SPOKEN_CHARS_MAX),
  voice: Text.optional(),
  speed: z.number().min(SPEED.min).max(SPEED.max).optional(),
});
/** With the reason for our own page. */
export const Refused = z.object({ message: Text, reason: z.looseObject({ type: Text }).optional() });
