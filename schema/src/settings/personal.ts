// What people want every answer to know, stored in the settings of their account.
import * as z from 'zod';
import { cleanText } from '../clean-text.ts';
import { PERSONAL_TEXT_MAX, type Personal } from './interface.ts';

const Text = z.string().max(PERSONAL_TEXT_MAX).overwrite(cleanText);

/** One switch for each text; a single one switches both. */
const IsOn = z
  .union([z.boolean(), z.strictObject({ about: z.boolean(), style: z.boolean() })])
  .transform((isOn) => (typeof isOn === 'boolean' ? { about: isOn, style: isOn } : isOn));

/** Replaces all of them. What is left out is empty, and on. */
export const PersonalInput = z.strictObject({
  about: Text.default(''),
  style: Text.default(''),
  isOn: IsOn.default({ about: true, style: true }),
  exceptEndpoints: z.array(z.string().min(1).max(128).overwrite(cleanText)).max(100).default([]),
}) satisfies z.ZodType<Personal>;
