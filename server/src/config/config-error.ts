/**
 * An error for the operator who starts the server: one sentence per problem. Each names the setting, the mistake
 * and what is allowed, and never contains a secret.
 */
export function configError(...sentences: string[]): Error {
  const error = new Error(sentences.join('\n'));
  error.name = 'ConfigError';
  return error;
}

/** Collects problems, so that the operator sees them all at once. */
export interface Problems {
  add(sentence: string): void;
  /** Collects a ConfigError; rethrows any other error. */
  note(error: unknown): undefined;
  /** The result of `work`; undefined when it throws a ConfigError, which is collected. */
  attempt<T>(work: () => T): T | undefined;
  error(): Error;
  throwAny(): void;
}

export function gatherProblems(): Problems {
  const sentences: string[] = [];
  return { add, note, attempt, error, throwAny };

  function add(sentence: string): void {
    sentences.push(sentence);
  }

  function note(error: unknown): undefined {
    if (!isConfigError(error)) throw error;
    add(error.message);
  }

  function attempt<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      return note(error);
    }
  }

  function error(): Error {
    return configError(...sentences);
  }

  function throwAny(): void {
    if (sentences.length > 0) throw error();
  }
}

/** Whether to show only the message to the operator, without a stack. */
export function isConfigError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ConfigError';
}

/** The error code of a failed file operation, such as "EACCES"; the whole text when there is none. */
export function fileErrorCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
