import { Button } from '@mantine/core';
import '@mantine/core/styles/Loader.css';
import '@mantine/core/styles/Button.css';
import { useTranslation } from 'react-i18next';
import classes from './auth.module.css';

export function SubmitButton({ isPending, canSubmit }: { isPending: boolean; canSubmit: boolean }) {
  const { t } = useTranslation();
  return (
    <Button
      type="submit"
      fullWidth
      className={classes.submit}
      loading={isPending}
      disabled={!canSubmit}
      data-testid="login-button"
    >
      {t('com_auth_continue')}
    </Button>
  );
}
