import type { Message } from '@parley/schema/messages/messages';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OtherModel } from '../../catalog/model-target.ts';
import { Button, type ButtonProps } from '../../ui/button.tsx';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { otherModelDialog } from '../lazy-panels.ts';

interface OtherModelButtonProps {
  message: Message;
  variant?: ButtonProps['variant'];
  onPick: (model: OtherModel) => void;
}

/** On a failed reply: asks another model. */
export function OtherModelButton({ message, variant, onPick }: OtherModelButtonProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);

  function close(): void {
    setOpen(false);
    button.current?.focus({ preventScroll: true });
  }

  return (
    <>
      <Button
        ref={button}
        size="sm"
        variant={variant}
        aria-haspopup="dialog"
        onPointerEnter={otherModelDialog.preload}
        onFocus={otherModelDialog.preload}
        onClick={() => setOpen(true)}
      >
        {t('com_chat_try_other_model')}
      </Button>
      {isOpen && (
        <LazyBoundary onFailure={close}>
          <otherModelDialog.Screen
            message={message}
            onClose={close}
            onPick={(model) => {
              close();
              onPick(model);
            }}
          />
        </LazyBoundary>
      )}
    </>
  );
}
