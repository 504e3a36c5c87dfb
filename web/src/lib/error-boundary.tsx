import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { QuietScreen } from './quiet-screen.tsx';

/** Catches what a screen throws while rendering, a chunk that could not be loaded included. React asks for a class. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <FailedScreen /> : this.props.children;
  }
}

function FailedScreen() {
  const { t } = useTranslation();
  return (
    <QuietScreen title={t('com_error_screen')} hint={t('com_error_screen_hint')}>
      <button type="button" onClick={() => window.location.reload()}>
        {t('com_ui_reload')}
      </button>
    </QuietScreen>
  );
}
