/**
 * An error whose message is one sentence for the person who starts the server: it names the setting, says what is wrong
 * with it and what is allowed, and never repeats a secret.
 */
export function configError(sentence: string): Error {
  const error = new Error(sentence);
  error.name = 'ConfigError';
  return error;
}

/** Whether `error` is meant for the person at the terminal, who needs its message and no stack. */
export function isConfigError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ConfigError';
}

/** The words Node gives a failed file operation, such as "EACCES"; the whole text when it has none. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
