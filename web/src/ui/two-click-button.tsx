import { useEffect, useRef, useState } from 'react';
import { BusyButton } from './busy-button.tsx';
import { VisuallyHidden } from './primitives/visually-hidden.tsx';

interface TwoClickButtonProps {
  label: string;
  /** The label for the second click. */
  confirm: string;
  /** The object of the action, if the label alone does not name it. */
  describedBy?: string;
  testId?: string;
  isDisabled?: boolean;
  /** When it settles, either way, the spinner stops. */
  run: () => Promise<unknown>;
}

/** The first click asks for confirmation, the second confirms; a click elsewhere or a loss of focus cancels. */
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
        variant={isAsked ? 'danger-filled' : 'danger'}
        size="sm"
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
