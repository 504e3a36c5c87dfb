/**
 * Streams with a signal that aborts with `signal` and lives no longer than the stream. SDKs leave listeners on the
 * signal of a request: on that of a long run, they and all that they hold would gather with each step.
 */
export async function* withLinkedAbort<T>(
  stream: (own: AbortSignal) => AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const own = new AbortController();
  const abort = () => own.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    yield* stream(own.signal);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
