import type { Message } from '@parley/schema/messages/messages';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useShowDialog } from '../dialogs/open-dialog.ts';
import { PlainButton } from '../ui/primitives/plain-button.tsx';
import { useFixesKey } from './use-fixes-key.ts';

/** The logo of the model that failed: where another key may help, it opens the key dialog. */
export function SetTokenLogo({ message, children }: { message: Message; children: ReactNode }) {
  const { t } = useTranslation();
  const showDialog = useShowDialog();
  if (!useFixesKey(message)) return children;
  const label = t('com_error_set_token');
  return (
    <PlainButton
      aria-label={label}
      aria-haspopup="dialog"
      data-tooltip={label}
      onClick={() => showDialog({ name: 'key', endpoint: message.endpoint })}
    >
      {children}
    </PlainButton>
  );
}
