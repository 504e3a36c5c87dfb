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
/** Of an account that has a second factor. */
export const NotSignedIn = Told.extend({ twoFAPending: z.literal(true).optional() });
export const ResetLink = z.object({ link: Text });
