import { Alert } from '@mantine/core';
import '@mantine/core/styles/Alert.css';
import classes from './auth.module.css';

/** What went wrong, said once and aloud. */
export function FailureAlert({ sentence, testId }: { sentence: string | null; testId?: string }) {
  if (!sentence) return null;
  return (
    <Alert color="red" className={classes.alert} classNames={{ message: classes.alertText }} data-testid={testId}>
      {sentence}
    </Alert>
  );
}
