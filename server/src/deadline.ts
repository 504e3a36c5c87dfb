/**
 * A signal that aborts after `ms`, or with one of the others. Unlike `AbortSignal.any([AbortSignal.timeout(ms)])`, of
 * which Node 20 lets the garbage collector take the timer, so that it never comes.
 */
export function withDeadline(ms: number, ...signals: (AbortSignal | undefined)[]): AbortSignal {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new DOMException('The time is over', 'TimeoutError')), ms);
  timer.unref();
  return AbortSignal.any([deadline.signal, ...signals.filter((signal) => signal !== undefined)]);
}
