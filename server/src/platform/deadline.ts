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
