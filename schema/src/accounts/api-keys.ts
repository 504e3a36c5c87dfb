import * as z from 'zod';
import { cleanText } from '../clean-text.ts';
import { API_KEY_CREDITS_MAX, API_KEY_ENDPOINTS_MAX, API_KEY_NAME_MAX, API_SCOPES } from './api-key-rules.ts';

const ENDPOINT_MAX = 128;

export const CreateApiKey = z.strictObject({
  name: z
    .string()
    .trim()
    .overwrite(cleanText)
    .min(1, 'The key needs a name')
    .max(API_KEY_NAME_MAX, `The name takes at most ${API_KEY_NAME_MAX} characters`),
  scopes: z
    .array(z.enum(API_SCOPES))
    .min(1, 'The key must be for something')
    .max(API_SCOPES.length)
    .transform((all) => API_SCOPES.filter((scope) => all.includes(scope))),
  /** Null: all endpoints. */
  endpoints: z
    .array(z.string().overwrite(cleanText).min(1).max(ENDPOINT_MAX))
    .min(1)
    .max(API_KEY_ENDPOINTS_MAX)
    .nullable()
    .default(null),
  monthlyCredits: z.int().min(1).max(API_KEY_CREDITS_MAX).nullable().default(null),
  /** Null: it does not expire; absent: in 90 days. */
  expiresAt: z.iso.datetime({ offset: true, error: 'expiresAt must be an ISO date' }).nullable().optional(),
});
export type CreateApiKey = z.output<typeof CreateApiKey>;

export const ApiKeyRef = z.strictObject({ id: z.uuid() });
