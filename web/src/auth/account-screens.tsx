// Tests of this room: tests/unit/web/auth, tests/e2e/auth.

// The sign-in and sign-up screens, which load as one chunk with what they say.
import { useState } from 'react';
import { useStartup } from '../startup.ts';
import { ConfirmEmailScreen } from './confirm-email-screen.tsx';
import { ForgotPasswordScreen } from './forgot-password-screen.tsx';
import { LoginScreen } from './login/login-screen.tsx';
import { RegisterScreen } from './register-screen.tsx';
import { ResetPasswordScreen } from './reset-password-screen.tsx';

export { default as sentences } from '../locales/en-US/auth.json';

const screens = {
  login: LoginScreen,
  register: RegisterScreen,
  forgot: ForgotPasswordScreen,
  reset: ResetPasswordScreen,
  confirm: ConfirmEmailScreen,
};

export function AccountScreen({ name }: { name: keyof typeof screens }) {
  const startup = useStartup();
  // Another site has sent somebody back, with a result or a second step.
  const [isReturn] = useState(() => window.location.search !== '' || window.location.hash !== '');
  // Nobody can sign in before there is an account; a directory has some already.
  const isFirst = startup?.awaitsFirstPerson && startup.emailLoginEnabled && !startup.ldap && !isReturn;
  const Screen = screens[isFirst && name === 'login' ? 'register' : name];
  return <Screen />;
}
