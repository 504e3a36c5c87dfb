import '@mantine/core/styles/VisuallyHidden.css';
import { VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { BusyButton } from './busy-button.tsx';
import classes from './two-click-button.module.css';

interface TwoClickButtonProps {
  label: string;
  /** What the second click is called. */
  confirm: string;
  /** What it is about, where the label alone does not say it. */
  describedBy?: string;
  testId?: string;
  isDisabled?: boolean;
  /** Its end ends the spinner, whichever it is. */
  run: () => Promise<unknown>;
}

/** The first click asks, the second does it; a click elsewhere, or the focus going elsewhere, takes the question back. */
export function TwoClickButton({ label, confirm, describedBy, testId, isDisabled, run }: TwoClickButtonProps) {
  const [status, setStatus] = useState<'idle' | 'asked' | 'running'>('idle');
  const button = useRef<HTMLButtonElement>(null);
  const isAsked = status === 'asked';

  useEffect(() => {
    if (!isAsked) return;
    const leave = ({ target }: Event) => {
      if (!(target instanceof Node) || !button.current?.contains(target)) setStatus('idle');
    };
    for (const kind of ['pointerdown', 'focusin']) document.addEventListener(kind, leave);
    return () => {
      for (const kind of ['pointerdown', 'focusin']) document.removeEventListener(kind, leave);
    };
  }, [isAsked]);

  async function click(): Promise<void> {
    if (status === 'running') return;
    if (!isAsked) return setStatus('asked');
    setStatus('running');
    await run().catch(() => undefined);
    setStatus('idle');
  }

  return (
    <>
      <BusyButton
        ref={button}
        variant="default"
        className={isAsked ? classes.asked : classes.button}
        isBusy={status === 'running'}
        disabled={isDisabled}
        aria-describedby={describedBy}
        data-testid={testId && (isAsked ? `${testId}-confirm` : `${testId}-initial`)}
        onClick={() => void click()}
      >
        {isAsked ? confirm : label}
      </BusyButton>
      <VisuallyHidden role="status">{isAsked ? confirm : ''}</VisuallyHidden>
    </>
  );
}
