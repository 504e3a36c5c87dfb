import { Alert } from '@mantine/core';
import '@mantine/core/styles/Alert.css';
import classes from './auth.module.css';

interface Props {
  sentence: string | null;
  /** Set when it is the user's own choice, not a failure. */
  isQuiet?: boolean;
  testId?: string;
}

/** Shows an error, and announces it once. */
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
