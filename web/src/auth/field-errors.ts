import { DirectorySignIn, Email, Password, Profile, sentences, SignIn, SignUp } from '@parley/schema/accounts/users';
import { typedKeys } from '@parley/schema/entries';
import type { ParseKeys } from 'i18next';
import type * as z from 'zod';

export type FieldErrors<Name extends string> = Partial<Record<Name, ParseKeys>>;
export type SignInValues = Record<'email' | 'password', string>;
export type ResetRequestValues = Record<'email', string>;
export type NewPasswordValues = Record<'password' | 'confirm_password', string>;
export type SignUpValues = Record<'name' | 'username' | 'email' | 'password' | 'confirm_password', string>;

export type ProfileValues = Record<'name' | 'username', string>;

/** The first broken rule of each field, as a translation key. */
export function signInErrors(values: SignInValues): FieldErrors<keyof SignInValues> {
  return withoutBlanks({
    email: broken(SignIn.shape.email, values.email),
    password: broken(SignIn.shape.password, values.password),
  });
}

/** Where a directory knows the password, by rules of its own. */
export function directorySignInErrors({ email, password }: SignInValues): FieldErrors<keyof SignInValues> {
  return withoutBlanks({
    email: broken(Email, email),
    password: broken(DirectorySignIn.shape.password, password),
  });
}

export function usernameSignInErrors(values: SignInValues): FieldErrors<keyof SignInValues> {
  const { password } = directorySignInErrors(values);
  return withoutBlanks({
    email: values.email.trim() === '' ? ruleMessageKeys.required : undefined,
    password,
  });
}

/** Validates each field alone, so that one unfinished field does not hide errors in others. */
export function signUpErrors(values: SignUpValues): FieldErrors<keyof SignUpValues> {
  return withoutBlanks({
    name: broken(SignUp.shape.name, values.name),
    username: broken(SignUp.shape.username, values.username),
    email: broken(SignUp.shape.email, values.email),
    password: broken(SignUp.shape.password, values.password),
    confirm_password: unmatched(values),
  });
}

export function profileErrors({ name, username }: ProfileValues): FieldErrors<keyof ProfileValues> {
  return withoutBlanks({
    name: broken(Profile.shape.name, name),
    username: broken(Profile.shape.username, username),
  });
}

export function resetRequestErrors({ email }: ResetRequestValues): FieldErrors<keyof ResetRequestValues> {
  return withoutBlanks({ email: broken(Email, email) });
}

export function newPasswordErrors(values: NewPasswordValues): FieldErrors<keyof NewPasswordValues> {
  return withoutBlanks({ password: broken(Password, values.password), confirm_password: unmatched(values) });
}

function unmatched({ password, confirm_password: again }: NewPasswordValues): ParseKeys | undefined {
  return again === password ? undefined : ruleMessageKeys.passwordMatch;
}

function broken(rule: z.ZodType, value: string): ParseKeys | undefined {
  const result = rule.safeParse(value);
  return result.success ? undefined : keyOf(firstMessage(result.error.issues));
}

/** In a union of "this or empty", the useful message is that of the first alternative. */
function firstMessage(issues: readonly z.core.$ZodIssue[]): string {
  const issue = issues[0];
  if (issue?.code === 'invalid_union' && issue.errors[0]) return firstMessage(issue.errors[0]);
  return issue?.message ?? sentences.required;
}

function keyOf(message: string): ParseKeys {
  const rule = typedKeys(sentences).find((name) => sentences[name] === message);
  return ruleMessageKeys[rule ?? 'required'];
}

function withoutBlanks<Name extends string>(errors: Record<Name, ParseKeys | undefined>): FieldErrors<Name> {
  const shown = Object.entries(errors).filter(([, key]) => key !== undefined);
  return Object.fromEntries(shown) as FieldErrors<Name>;
}

type Sentence = keyof typeof sentences;

/** The translation key of each sign-up rule. A new rule without one does not compile. */
const ruleMessageKeys: Record<Sentence, ParseKeys> = {
  required: 'com_auth_required',
  emailRequired: 'com_auth_email_required',
  emailMin: 'com_auth_email_min_length',
  emailMax: 'com_auth_email_max_length',
  emailPattern: 'com_auth_email_pattern',
  passwordRequired: 'com_auth_required',
  passwordMin: 'com_auth_password_min_length',
  passwordMax: 'com_auth_password_max_length',
  passwordMatch: 'com_auth_password_not_match',
  resetToken: 'com_auth_error_no_reset_token',
  resetUser: 'com_auth_error_no_reset_user',
  nameRequired: 'com_auth_required',
  nameMin: 'com_auth_name_min_length',
  nameMax: 'com_auth_name_max_length',
  usernameMin: 'com_auth_username_min_length',
  usernameMax: 'com_auth_username_max_length',
  usernameCharacters: 'com_auth_username_characters',
};
