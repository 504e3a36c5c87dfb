import { IconFingerprint } from '@tabler/icons-react';
import { BusyButton } from '../../ui/busy-button.tsx';

interface PasskeyButtonProps {
  label: string;
  isBusy: boolean;
  isDisabled?: boolean;
  variant?: 'filled';
  size?: 'lg';
  onClick: () => void;
}

export function PasskeyButton({ label, isDisabled = false, ...button }: PasskeyButtonProps) {
  return (
    <BusyButton {...button} disabled={isDisabled}>
      <IconFingerprint aria-hidden />
      {label}
    </BusyButton>
  );
}
