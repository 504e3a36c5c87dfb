// What browsers and this server tell each other about passkeys, in the JSON of WebAuthn.
import * as z from 'zod';
import { cleanText } from '../clean-text.ts';
import { Id } from '../ids.ts';
import { PASSKEY_NAME_MAX } from './passkey-rules.ts';

/** Bytes in base64url. */
const bytes = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]*$/);
const CredentialId = bytes(1400);

const ofCredential = {
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal('public-key'),
};

/** What a passkey has signed. */
export const Assertion = z.object({
  ...ofCredential,
  response: z.object({
    clientDataJSON: bytes(4000),
    authenticatorData: bytes(4000),
    signature: bytes(4000),
    userHandle: bytes(200).nullish(),
  }),
});
export type Assertion = z.output<typeof Assertion>;

/** A passkey that was made. */
export const Attestation = z.object({
  ...ofCredential,
  response: z.object({
    clientDataJSON: bytes(4000),
    attestationObject: bytes(20_000),
    transports: z
      .array(
        z
          .string()
          .max(20)
          .regex(/^[\w-]+$/),
      )
      .max(10)
      .optional(),
  }),
});
export type Attestation = z.output<typeof Attestation>;

export const SignInByPasskey = z.strictObject({ assertion: Assertion });
export const AddPasskey = z.strictObject({ attestation: Attestation });
export const RenamePasskey = z.strictObject({
  id: Id,
  name: z.string().overwrite(cleanText).trim().min(1).max(PASSKEY_NAME_MAX),
});
