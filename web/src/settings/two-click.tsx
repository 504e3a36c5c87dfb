import './lazy-words.ts';
import '@mantine/core/styles/Button.css';
import '@mantine/core/styles/Loader.css';
import { Button } from '@mantine/core';
import { useClickOutside } from '@mantine/hooks';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './two-click.module.css';

interface TwoClickProps {
  /** What stands on the button. */
  verb: string;
  /** What it is that is done, for who cannot see what the button stands beside. */
  label: string;
  /** What the names for tools begin with: `-initial` before the first click, `-confirm` after it. */
  testId: string;
  isBusy: boolean;
  onConfirm: () => void;
}

/** A button that asks before it does what cannot be done lightly: the second click does it, one outside takes it back. */
export function TwoClick({ verb, label, testId, isBusy, onConfirm }: TwoClickProps) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const button = useClickOutside<HTMLButtonElement>(() => setAsking(false));
  const says = isAsking ? t('com_ui_confirm_action') : verb;

  function press(): void {
    if (isAsking) onConfirm();
    setAsking(!isAsking);
  }

  return (
    <Button
      ref={button}
      className={isAsking ? classes.asking : classes.danger}
      variant="default"
      leftSection={isAsking && <IconCheck size={16} stroke={1.6} aria-hidden />}
      aria-label={`${says}: ${label}`}
      data-testid={`${testId}-${isAsking ? 'confirm' : 'initial'}`}
      loading={isBusy}
      onClick={press}
      onBlur={() => setAsking(false)}
    >
      {says}
    </Button>
  );
}
