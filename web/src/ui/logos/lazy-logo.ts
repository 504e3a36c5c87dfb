import { lazyScreen } from '../lazy/lazy-screen.tsx';

export const logo = lazyScreen(async () => (await import('./logo.tsx')).Logo, 'ahead');
