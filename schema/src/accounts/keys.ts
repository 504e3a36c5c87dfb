import * as z from 'zod';
import { cleanText } from '../clean-text.ts';

/** A saved key, without its value. */
export interface SavedKey {
  /** The endpoint that it is for. */
  name: string;
  /** Null: it does not expire. */
  expiresAt: string | null;
}

const NAME_MAX = 128;
/** More than the longest key file of a service account. */
const VALUE_MAX = 16_384;

export const KeyRef = z.strictObject({
  name: z.string().overwrite(cleanText).min(1, 'name is required').max(NAME_MAX),
});

/**
 * A value as existing clients save it (docs/rest-compat.md, Keys of users): JSON or a plain string, depending on the
 * endpoint.
 */
export const SaveKey = KeyRef.extend({
  value: z
    .string({ error: 'value is required' })
    .trim()
    .min(1, 'value is required')
    .max(VALUE_MAX, `value takes at most ${VALUE_MAX} characters`),
  expiresAt: z.iso.datetime({ offset: true, error: 'expiresAt must be an ISO date' }).nullable(),
});
export type SaveKey = z.infer<typeof SaveKey>;
