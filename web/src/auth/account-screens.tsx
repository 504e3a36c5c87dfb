// The sign-in and sign-up screens, which load as one chunk with what they say.
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
  const Screen = screens[name];
  return <Screen />;
}
