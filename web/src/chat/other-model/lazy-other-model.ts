import { lazyScreen } from '../../ui/lazy/lazy-screen.tsx';

export const otherModelDialog = lazyScreen(
  async () => (await import('./other-model-dialog.tsx')).OtherModelDialog,
  'ahead',
);
