import type { sentences } from '@parley/schema/accounts/users';
import type { ParseKeys } from 'i18next';

type Sentence = keyof typeof sentences;

/** The translation key of each sign-up rule. A new rule without one does not compile. */
export const ruleMessageKeys: Record<Sentence, ParseKeys> = {
  required: 'com_auth_required',
  emailRequired: 'com_auth_email_required',
  emailMin: 'com_auth_email_min_length',
  emailMax: 'com_auth_email_max_length',
  emailPattern: 'com_auth_email_pattern',
  passwordRequired: 'com_auth_password_required',
  passwordMin: 'com_auth_password_min_length',
  passwordMax: 'com_auth_password_max_length',
  passwordMatch: 'com_auth_password_not_match',
  resetToken: 'com_auth_error_no_reset_token',
  resetUser: 'com_auth_error_no_reset_user',
  nameRequired: 'com_auth_name_required',
  nameMin: 'com_auth_name_min_length',
  nameMax: 'com_auth_name_max_length',
  usernameMin: 'com_auth_username_min_length',
  usernameMax: 'com_auth_username_max_length',
  usernameCharacters: 'com_auth_username_characters',
};
