// Tests of this room: tests/unit/schema.

// What is accepted from clients about actions.
import * as z from 'zod';
import { cleanText } from '../clean-text.ts';
import { isFlat, TOO_NESTED } from '../nesting.ts';
import { SPEC_BYTES_MAX, SPEC_OPERATIONS_MAX, SPEC_SENTENCES } from './actions.ts';

const ID_MAX = 64;
const URL_MAX = 2_000;
const SECRET_MAX = 8_192;
const SCOPE_MAX = 2_000;
const HEADER_MAX = 128;
const NAME_MAX = 256;

const id = z.string().min(1).max(ID_MAX).overwrite(cleanText);
const link = z
  .string()
  .overwrite(cleanText)
  .trim()
  .max(URL_MAX)
  .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), 'must be an http(s) address');
/** Sent in a header, where a line break would start another one. */
const secret = z
  .string()
  .trim()
  .min(1)
  .max(SECRET_MAX)
  .regex(/^[^\r\n\0]*$/, 'A key must be one line');
const rawSpec = z.string().max(SPEC_BYTES_MAX, SPEC_SENTENCES.too_long).overwrite(cleanText);

/** The names of operations that are on: null for all, at most 100; absent for the former choice, which is all at first. */
export const ChosenOperations = z
  .array(z.string().min(1).max(NAME_MAX))
  .max(SPEC_OPERATIONS_MAX, `At most ${SPEC_OPERATIONS_MAX} operations of an action can be on`)
  .nullish();

/** Headers that belong to the connection or to us. */
const RESERVED =
  /^(?:host|connection|content-.*|transfer-encoding|te|trailer|upgrade|keep-alive|proxy-.*|expect|cookie|idempotency-key|accept|user-agent)$/i;

export function isFreeHeader(name: string): boolean {
  return name.length <= HEADER_MAX && /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !RESERVED.test(name);
}

const ActionAuthInput = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none') }),
  z
    .strictObject({
      type: z.literal('service_http'),
      authorizationType: z.enum(['basic', 'bearer', 'custom']),
      customAuthHeader: z.string().overwrite(cleanText).trim().max(HEADER_MAX).nullable().default(null),
    })
    .refine(({ authorizationType, customAuthHeader }) => {
      return authorizationType !== 'custom' || isFreeHeader(customAuthHeader ?? '');
    }, 'The custom header needs a valid name'),
  z.strictObject({
    type: z.literal('oauth'),
    clientUrl: link,
    authorizationUrl: link,
    scope: z.string().overwrite(cleanText).trim().max(SCOPE_MAX),
    tokenExchangeMethod: z.enum(['default_post', 'basic_auth_header']).default('default_post'),
    /** That of the former action when absent; else the application's own. */
    grant: z.enum(['client_credentials', 'authorization_code']).optional(),
  }),
]);

/** Only what is chosen is checked in full. */
export const ParseSpec = z.strictObject({ rawSpec, operations: ChosenOperations });

/** Secrets that are absent stay as they are, as long as the host stays the same. */
export const ActionInput = z.strictObject({
  /** Of the action that is replaced; absent for a new one. */
  actionId: id.optional(),
  rawSpec,
  operations: ChosenOperations,
  privacyPolicyUrl: link.nullish(),
  auth: ActionAuthInput,
  apiKey: secret.optional(),
  oauthClientId: secret.optional(),
  oauthClientSecret: secret.optional(),
});
export type ActionInput = z.infer<typeof ActionInput>;
export type GivenActionInput = z.input<typeof ActionInput>;

export const SaveAction = ActionInput.extend({ assistantId: id });
export const ListActions = z.strictObject({ assistantId: id.optional() });
export const OneAction = z.strictObject({ actionId: id });
export const ActionRef = z.strictObject({ assistantId: id, actionId: id });
export const TryAction = z.strictObject({
  actionId: id,
  operation: z.string().min(1).max(NAME_MAX),
  args: z.record(z.string().max(NAME_MAX), z.unknown().refine(isFlat, TOO_NESTED).pipe(z.json())).default({}),
});
