import type { User } from '@parley/schema/accounts/users';
import * as z from 'zod';
import { Text, Time, Told, Uuid, type Fields } from './shapes.ts';

export const RestUser = z
  .object({
    id: Uuid,
    provider: Text,
    email: Text,
    name: Text,
    username: Text.nullable(),
    avatar: Text.nullable(),
    role: z.enum(['ADMIN', 'USER']),
    emailVerified: z.boolean(),
    plugins: z.array(Text),
    createdAt: Time,
    updatedAt: Time,
  } satisfies Fields<User>)
  .meta({ id: 'User' });

export const SignedIn = z.object({ token: Text, user: RestUser });
export const Registered = z.object({ user: RestUser });
/** Of an account that has a second factor: what `/api/auth/2fa/verify-temp` takes with a code. */
export const SecondStep = z.object({ twoFAPending: z.literal(true), tempToken: Text });
export const Verified = Told.extend({ status: z.literal('success') });
/** A code of the app, or one for recovery. */
export const FactorCode = z.object({ token: Text.nullish(), backupCode: Text.nullish() });
export const NewApp = z.object({ otpauthUrl: Text, backupCodes: z.array(Text) });
export const ConfirmedApp = Told.extend({ backupCodes: z.array(Text).optional() });
export const RenewedCodes = z.object({ backupCodes: z.array(Text) });
export const ResetLink = z.object({ link: Text });
