import { useTranslation } from 'react-i18next';
import { BusyButton } from '../ui/busy-button.tsx';
import classes from './auth.module.css';

export function SubmitButton({ isPending, canSubmit }: { isPending: boolean; canSubmit: boolean }) {
  const { t } = useTranslation();
  return (
    <BusyButton
      type="submit"
      variant="filled"
      size="lg"
      className={classes.submit}
      isBusy={isPending}
      disabled={!canSubmit}
      data-testid="login-button"
    >
      {t('com_auth_continue')}
    </BusyButton>
  );
}
