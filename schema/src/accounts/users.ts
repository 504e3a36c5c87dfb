// The sign-up rules and their error sentences, used by the server, the forms and the tests.
import * as z from 'zod';

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
  .max(128, sentences.passwordMax);

export const SignIn = z.object({ email: Email, password: Password });

const UsernameOrNone = z
  .string()
  .trim()
  .toLowerCase()
  .min(2, sentences.usernameMin)
  .max(20, sentences.usernameMax)
  .regex(USERNAME, sentences.usernameCharacters)
  .or(z.literal(''));

export const SignUp = z
  .object({
    name: z
      .string({ error: sentences.nameRequired })
      .trim()
      .min(1, sentences.nameRequired)
      .min(3, sentences.nameMin)
      .max(79, sentences.nameMax),
    username: UsernameOrNone.nullish().transform((username) => username || null),
    email: Email.min(6, sentences.emailMin),
    password: Password.max(127, sentences.passwordMax),
    confirm_password: z.string({ error: sentences.passwordMatch }),
  })
  .refine((input) => input.password === input.confirm_password, {
    error: sentences.passwordMatch,
    path: ['confirm_password'],
  });

/** What a person may change of their profile; what is left out stays. */
export const ChangeProfile = z.object({
  name: SignUp.shape.name.optional(),
  username: UsernameOrNone.nullable()
    .transform((username) => username || null)
    .optional(),
});
export type ChangeProfile = z.infer<typeof ChangeProfile>;

/** One of the devices on which a person is signed in. */
export interface Device {
  id: string;
  isThis: boolean;
  browser: string | null;
  system: string | null;
  signedInAt: string;
  lastUsedAt: string;
}

/** The proof that the owner asks: the password, or the e-mail address where the account has no password. */
export const DeleteAccount = z.object({
  password: z.string().max(128).optional(),
  email: z.string().max(120).optional(),
});
export type DeleteAccount = z.infer<typeof DeleteAccount>;

/** How long a deleted account can be kept after all. */
export const KEEP_ACCOUNT_DAYS = 7;

export const ResetRequest = z.object({ email: Email });

/** REST clients may omit the confirmation. */
const ConfirmedPassword = z.object({ password: Password, confirm_password: z.string().optional() });

export const ResetPassword = ConfirmedPassword.extend({
  userId: z.string({ error: sentences.resetUser }).min(1, sentences.resetUser),
  token: z.string({ error: sentences.resetToken }).min(1, sentences.resetToken),
}).refine(isConfirmed, { error: sentences.passwordMatch, path: ['confirm_password'] });

export const ChangePassword = ConfirmedPassword.extend({ current_password: Password }).refine(isConfirmed, {
  error: sentences.passwordMatch,
  path: ['confirm_password'],
});

function isConfirmed({ password, confirm_password: again }: z.output<typeof ConfirmedPassword>): boolean {
  return again === undefined || again === password;
}
