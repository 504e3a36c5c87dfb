/**
 * A signal that aborts after `ms`, or with one of the others. Replaces `AbortSignal.any([AbortSignal.timeout(ms)])`,
 * whose timer Node 20 may garbage-collect, so that it never fires.
 */
export function withDeadline(ms: number, ...signals: (AbortSignal | undefined)[]): AbortSignal {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new DOMException('The time is over', 'TimeoutError')), ms);
  timer.unref();
  return AbortSignal.any([deadline.signal, ...signals.filter((signal) => signal !== undefined)]);
}

/**
 * The result of work, unless the signal aborts first: then it rejects at once, with the signal's reason or with `reason()`.
 * So work that does not notice the abort holds nobody up.
 */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  reason = (): unknown => signal.reason,
): Promise<T> {
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(reason());
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop));
}

/** The result of work, unless it takes longer than `ms`: then what `late` returns or throws. */
export function withTimeout<T, L = T>(work: Promise<T>, ms: number, late: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))).then(late);
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/** The statuses of redirects. */
export const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * Like the global `fetch`, or like `by`, but a redirect is an error. Replaces `redirect: 'error'`: with it, Node 20 may
 * garbage-collect what ends the body when the signal aborts, and a body that never ends is read for ever.
 */
export async function fetchUnredirected(
  input: string | Request,
  init: RequestInit,
  by: typeof fetch = fetch,
): Promise<Response> {
  const response = await by(input, { ...init, redirect: 'manual' });
  if (!REDIRECTS.includes(response.status)) return response;
  await response.body?.cancel();
  throw new TypeError('A redirect is not followed');
}

/** The whole body of a response, unless it has more than `maxBytes`: then what `tooLong` returns is thrown. */
export async function readBounded(response: Response, maxBytes: number, tooLong: () => Error): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
