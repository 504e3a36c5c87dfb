/**
 * An error for the person who starts the server: one sentence, or one a line where several things are wrong. Each names
 * the setting, says what is wrong with it and what is allowed, and never repeats a secret.
 */
export function configError(...sentences: string[]): Error {
  const error = new Error(sentences.join('\n'));
  error.name = 'ConfigError';
  return error;
}

/** What is wrong, gathered so that it is told together: whoever mends one thing should not meet the next by it. */
export interface Problems {
  add(sentence: string): void;
  /** Adds a ConfigError; anything else is thrown. */
  note(error: unknown): undefined;
  /** What the work gives; undefined, and noted, where it throws a ConfigError. */
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

/** Whether `error` is meant for the person at the terminal, who needs its message and no stack. */
export function isConfigError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ConfigError';
}

/** The words Node gives a failed file operation, such as "EACCES"; the whole text when it has none. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
