// The sign-up rules and their error sentences, used by the server, the forms and the tests.
import * as z from 'zod';
import { InvitationToken } from './registration.ts';

export interface User {
  id: string;
  provider: string;
  email: string;
  name: string;
  username: string | null;
  avatar: string | null;
  role: 'ADMIN' | 'USER';
  emailVerified: boolean;
  plugins: string[];
  createdAt: string;
  updatedAt: string;
}

export const sentences = {
  required: 'This field is required',
  emailRequired: 'Email is required',
  emailMin: 'Email must be at least 6 characters',
  emailMax: 'Email should not be longer than 120 characters',
  emailPattern: 'You must enter a valid email address',
  passwordRequired: 'Password is required',
  passwordMin: 'Password must be at least 8 characters',
  passwordMax: 'Password must be less than 128 characters',
  passwordMatch: 'Passwords do not match',
  resetToken: 'Unable to process: No valid reset token',
  resetUser: 'Unable to process: No valid user id',
  nameRequired: 'Name is required',
  nameMin: 'Name must be at least 3 characters',
  nameMax: 'Name must be less than 80 characters',
  usernameMin: 'Username must be at least 2 characters',
  usernameMax: 'Username must be less than 20 characters',
  usernameCharacters: 'Username may only hold letters, digits and _ . @ # $ % & * ( )',
} as const;

const PASSWORD_MAX = 128;
/** Of the parts of a reset link; longer ones are none of ours. */
const CLAIM_MAX = 256;

/** Letters of any script, digits and a few signs (docs/rest-compat.md, Accounts and sessions). */
const USERNAME = /^[\p{L}\p{M}\p{N}_.@#$%&*()-]+$/u;

export const Email = z
  .string({ error: sentences.emailRequired })
  .trim()
  .toLowerCase()
  .min(1, sentences.emailRequired)
  .max(120, { error: sentences.emailMax, abort: true })
  .refine(isEmail, sentences.emailPattern);

/** One word without spaces, with an @ inside and a dot inside what follows it; linear time at any length. */
function isEmail(text: string): boolean {
  const dot = text.lastIndexOf('.', text.length - 2);
  return !/\s/.test(text) && dot - text.indexOf('@', 1) >= 2 && text.includes('@', 1);
}

/** 8 to 128 characters, as typed: never trimmed, never normalised. */
export const Password = z
  .string({ error: sentences.passwordRequired })
  .min(1, sentences.passwordRequired)
  .min(8, sentences.passwordMin)
  .max(PASSWORD_MAX, sentences.passwordMax);

export const SignIn = z.object({ email: Email, password: Password });

/** Of passwords that were chosen elsewhere, by other rules. */
const FOREIGN_PASSWORD_MAX = 256;
const LOGIN_MAX = 254;

export const ForeignPassword = z
  .string({ error: sentences.passwordRequired })
  .min(1, sentences.passwordRequired)
  .max(FOREIGN_PASSWORD_MAX, sentences.passwordMax);

/** Where a directory knows who signs in, by an address or a user name. */
export const DirectorySignIn = z.object({
  email: z
    .string({ error: sentences.emailRequired })
    .trim()
    .min(1, sentences.emailRequired)
    .max(LOGIN_MAX, sentences.emailMax),
  password: ForeignPassword,
});

export const Name = z
  .string({ error: sentences.nameRequired })
  .trim()
  .min(1, sentences.nameRequired)
  .min(3, sentences.nameMin)
  .max(79, sentences.nameMax);

/** Null for none. */
const Username = z
  .string()
  .trim()
  .toLowerCase()
  .min(2, sentences.usernameMin)
  .max(19, sentences.usernameMax)
  .regex(USERNAME, sentences.usernameCharacters)
  .or(z.literal(''))
  .nullable()
  .transform((username) => username || null);

/** What people change of their own account; what is absent stays. */
export const Profile = z.object({ name: Name.optional(), username: Username.optional() });
export type Profile = z.infer<typeof Profile>;

export const SignUp = z
  .object({
    name: Name,
    username: Username.nullish().transform((username) => username ?? null),
    email: Email.min(6, sentences.emailMin),
    password: Password.max(127, sentences.passwordMax),
    confirm_password: z.string({ error: sentences.passwordMatch }).max(PASSWORD_MAX, sentences.passwordMatch),
    /** Of a link that lets them register. */
    invitation: InvitationToken.optional(),
  })
  .refine((input) => input.password === input.confirm_password, {
    error: sentences.passwordMatch,
    path: ['confirm_password'],
  });

export const ResetRequest = z.object({ email: Email });

/** REST clients may omit the confirmation. */
const ConfirmedPassword = z.object({
  password: Password,
  confirm_password: z.string().max(PASSWORD_MAX, sentences.passwordMatch).optional(),
});

export const ResetPassword = ConfirmedPassword.extend({
  userId: z.string({ error: sentences.resetUser }).min(1, sentences.resetUser).max(CLAIM_MAX, sentences.resetUser),
  token: z.string({ error: sentences.resetToken }).min(1, sentences.resetToken).max(CLAIM_MAX, sentences.resetToken),
}).refine(isConfirmed, { error: sentences.passwordMatch, path: ['confirm_password'] });

export const ChangePassword = ConfirmedPassword.refine(isConfirmed, {
  error: sentences.passwordMatch,
  path: ['confirm_password'],
});

function isConfirmed({ password, confirm_password: again }: z.output<typeof ConfirmedPassword>): boolean {
  return again === undefined || again === password;
}
