import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { BlankScreen } from './blank-screen.tsx';

/** Catches render errors, including chunks that fail to load. React requires a class. */
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
    <BlankScreen title={t('com_error_screen')} hint={t('com_error_screen_hint')}>
      <Button size="lg" onClick={() => window.location.reload()}>
        {t('com_ui_reload')}
      </Button>
    </BlankScreen>
  );
}
