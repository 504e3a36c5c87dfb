import { Alert } from '@mantine/core';
import '@mantine/core/styles/Alert.css';
import classes from './auth.module.css';

interface Props {
  sentence: string | null;
  /** What is no failure, but a person's own wish. */
  isQuiet?: boolean;
  testId?: string;
}

/** What went wrong, said once and aloud. */
export function FailureAlert({ sentence, isQuiet = false, testId }: Props) {
  if (!sentence) return null;
  return (
    <Alert
      color={isQuiet ? 'gray' : 'red'}
      className={`${classes.alert} ${isQuiet ? classes.quiet : ''}`}
      classNames={{ message: classes.alertText }}
      data-testid={testId}
    >
      {sentence}
    </Alert>
  );
}
