// @vitest-environment happy-dom
import type { Reason } from '@parley/schema/reasons';
import { fireEvent, render, screen, waitFor, cleanup } from '@testing-library/react';
import { TRPCClientError } from '@trpc/client';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  newPasswordErrors,
  directorySignInErrors,
  resetRequestErrors,
  signInErrors,
  usernameSignInErrors,
  signUpErrors,
  type SignInValues,
} from '../../../../web/src/auth/field-errors.ts';
import { describeSignInFailure, describeSignUpFailure } from '../../../../web/src/auth/describe-auth-failure.ts';
import { enabledOauthLogins } from '../../../../web/src/auth/oauth-buttons.tsx';
import { useForm } from '../../../../web/src/auth/use-form.ts';
import { i18n } from '../../../../web/src/i18n.ts';
import { startEnglish } from '../start-english.ts';
import type { Startup } from '../../../../web/src/startup.ts';

beforeAll(startEnglish);
afterEach(cleanup);

describe('the sign-in form', () => {
  test.each([
    [{ email: '', password: 'longenough' }, { email: 'com_auth_email_required' }],
    [{ email: 'alice', password: 'longenough' }, { email: 'com_auth_email_pattern' }],
    [{ email: `${'a'.repeat(120)}@b.co`, password: 'longenough' }, { email: 'com_auth_email_max_length' }],
    [{ email: 'a@b.co', password: '' }, { password: 'com_auth_required' }],
    [{ email: 'a@b.co', password: 'short' }, { password: 'com_auth_password_min_length' }],
    [{ email: 'a@b.co', password: 'x'.repeat(129) }, { password: 'com_auth_password_max_length' }],
    [{ email: 'a@b.co', password: 'longenough' }, {}],
  ])('%j', (values, errors) => {
    expect(signInErrors(values)).toEqual(errors);
  });
});

describe('the registration form', () => {
  const fine = { name: 'Alice', username: '', email: 'alice@example.com', password: 'longenough' };

  test.each([
    [{}, {}],
    [{ name: '' }, { name: 'com_auth_required' }],
    [{ name: 'Al' }, { name: 'com_auth_name_min_length' }],
    [{ name: 'x'.repeat(80) }, { name: 'com_auth_name_max_length' }],
    [{ username: 'a' }, { username: 'com_auth_username_min_length' }],
    [{ username: 'x'.repeat(21) }, { username: 'com_auth_username_max_length' }],
    [{ username: 'a b' }, { username: 'com_auth_username_characters' }],
    [{ email: 'a@b.c' }, { email: 'com_auth_email_min_length' }],
    [{ password: 'x'.repeat(128) }, { password: 'com_auth_password_max_length' }],
  ])('%j', (change, errors) => {
    const values = { ...fine, ...change };
    expect(signUpErrors({ ...values, confirm_password: values.password })).toEqual(errors);
  });

  test('a wrong confirmation is reported even while another field is incomplete', () => {
    const errors = signUpErrors({ ...fine, name: '', confirm_password: 'different' });
    expect(errors).toEqual({ name: 'com_auth_required', confirm_password: 'com_auth_password_not_match' });
  });
});

describe('the forgotten-password form', () => {
  test.each([
    ['', 'com_auth_email_required'],
    ['a@b', 'com_auth_email_pattern'],
    ['a@b.c', undefined],
    [`${'a'.repeat(120)}@b.co`, 'com_auth_email_max_length'],
  ])('validates the address %j', (email, error) => {
    expect(resetRequestErrors({ email }).email).toBe(error);
  });

  test.each([
    ['', '', { password: 'com_auth_required' }],
    ['short', 'short', { password: 'com_auth_password_min_length' }],
    ['x'.repeat(128), 'x'.repeat(128), {}],
    ['x'.repeat(129), 'x'.repeat(129), { password: 'com_auth_password_max_length' }],
    ['longenough', 'different', { confirm_password: 'com_auth_password_not_match' }],
  ])('validates %j repeated as %j', (password, again, errors) => {
    expect(newPasswordErrors({ password, confirm_password: again })).toEqual(errors);
  });
});

describe('the form of a directory', () => {
  test('leaves the rules of passwords to it, and takes a user name where people have one', () => {
    expect(directorySignInErrors({ email: 'a@b.co', password: 'kurz' })).toEqual({});
    expect(directorySignInErrors({ email: 'alice', password: '' })).toEqual({
      email: 'com_auth_email_pattern',
      password: 'com_auth_required',
    });
    expect(usernameSignInErrors({ email: 'alice', password: 'x' })).toEqual({});
    expect(usernameSignInErrors({ email: ' ', password: 'x' })).toEqual({ email: 'com_auth_required' });
  });
});

describe('the message of a failed call', () => {
  test.each<[Reason, number, string]>([
    [{ type: 'invalid_credentials' }, 422, 'Unable to login with the information provided.'],
    [{ type: 'too_many_attempts', retryAfterSeconds: 9 }, 429, 'Too many login attempts'],
    [{ type: 'banned', until: null }, 403, 'temporarily banned'],
    [{ type: 'email_login_closed' }, 403, 'Signing in by email is closed'],
    [{ type: 'unknown', text: '' }, 500, 'There was an internal server error.'],
    [{ type: 'directory_unreachable' }, 503, "Your organization's directory"],
    [{ type: 'password_expired' }, 403, 'Your password has expired'],
    [{ type: 'social_login', why: 'email_taken' }, 403, 'There is already an account with this email address'],
  ])('for sign-in: %j', (reason, status, sentence) => {
    expect(describeSignInFailure(refusal(reason, status), i18n.t)).toContain(sentence);
  });

  test('has a prefix and the reason for registration', () => {
    const failure = refusal({ type: 'registration_failed' }, 500);
    expect(describeSignUpFailure(failure, i18n.t)).toBe(
      'There was an error attempting to register your account. Please try again. The account could not be created with these details. Sign in if you have one already, or use another email address.',
    );
  });

  test('does not blame the input when the server is unreachable', () => {
    const failure = new TRPCClientError('Failed to fetch');
    for (const describeFailure of [describeSignInFailure, describeSignUpFailure]) {
      expect(describeFailure(failure, i18n.t)).toMatch(/^Error connecting to server/);
    }
  });
});

describe('a form', () => {
  test('shows no errors before input, validates on change, and cannot be sent while invalid', async () => {
    const send = vi.fn(async () => undefined);
    render(<Form send={send} />);
    expect(problems()).toBe('');
    expect(button().disabled).toBe(false);

    type('email', 'alice');
    await waitFor(() => expect(problems()).toBe('com_auth_email_pattern'));
    expect(button().disabled).toBe(true);

    type('email', 'alice@example.com');
    expect(problems()).toBe('');
    fireEvent.submit(button());
    expect(problems()).toBe('com_auth_required');
    expect(document.activeElement).toBe(field('password'));
    expect(send).not.toHaveBeenCalled();
  });

  test('is sent once, however often it is submitted', async () => {
    let finish: () => void = () => undefined;
    const send = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
    render(<Form send={send} />);
    fill();
    for (let click = 0; click < 3; click += 1) fireEvent.submit(button());
    await waitFor(() => expect(button().disabled).toBe(true));
    expect(send).toHaveBeenCalledTimes(1);
    expect(send).toHaveBeenCalledWith({ email: 'alice@example.com', password: 'longenough' });
    finish();
    await waitFor(() => expect(button().disabled).toBe(false));
  });

  test('keeps its input after a failure and can be sent again', async () => {
    const send = vi.fn(async () => {
      throw new Error('offline');
    });
    render(<Form send={send} />);
    fill();
    fireEvent.submit(button());
    await screen.findByText('offline');
    expect(field('email').value).toBe('alice@example.com');
    expect(field('password').value).toBe('longenough');
    fireEvent.submit(button());
    await waitFor(() => expect(send).toHaveBeenCalledTimes(2));
  });
});

describe('the buttons of sign-in sites', () => {
  const startup = {
    socialLoginEnabled: true,
    socialLogins: ['github', 'openid', 'google', 'myspace'],
    googleLoginEnabled: true,
    githubLoginEnabled: true,
    openidLoginEnabled: false,
  } as Startup;

  test('are those that are on, in the configured order', () => {
    expect(enabledOauthLogins(startup)).toEqual(['github', 'google']);
    expect(enabledOauthLogins({ ...startup, openidLoginEnabled: true })).toEqual(['github', 'openid', 'google']);
  });

  test('are absent when no site is on', () => {
    expect(enabledOauthLogins({ ...startup, socialLoginEnabled: false })).toEqual([]);
  });
});

const EMPTY: SignInValues = { email: '', password: '' };
const loadRules = async () => signInErrors;

function Form({ send }: { send: (values: SignInValues) => Promise<unknown> }) {
  const { form, field, errors, failure, isPending, canSubmit } = useForm({ empty: EMPTY, loadRules, send });
  return (
    <form {...form}>
      <input {...field('email')} />
      <input {...field('password')} />
      <output>{Object.values(errors).join(' ')}</output>
      {failure instanceof Error && <p>{failure.message}</p>}
      <button type="submit" disabled={!canSubmit || isPending}>
        Continue
      </button>
    </form>
  );
}

function fill(): void {
  type('email', 'alice@example.com');
  type('password', 'longenough');
}

function type(name: string, value: string): void {
  fireEvent.change(field(name), { target: { value } });
}

function field(name: string): HTMLInputElement {
  return document.querySelector(`input[name="${name}"]`) as HTMLInputElement;
}

function button(): HTMLButtonElement {
  return screen.getByRole<HTMLButtonElement>('button');
}

function problems(): string {
  return screen.getByRole('status').textContent ?? '';
}

function refusal(reason: Reason, httpStatus: number) {
  return TRPCClientError.from({ error: { message: reason.type, code: -32000, data: { reason, httpStatus } } });
}
