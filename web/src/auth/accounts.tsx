// The screens of the accounts room, as the one file they arrive in.
import './lazy-words.ts';
import { LoginScreen } from './login-screen.tsx';
import { RegisterScreen } from './register-screen.tsx';

export function AccountScreen({ name }: { name: 'login' | 'register' }) {
  return name === 'login' ? <LoginScreen /> : <RegisterScreen />;
}
