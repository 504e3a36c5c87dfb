// Several jobs, a few at a time, whose deltas are one stream.
import type { Delta } from '../generation/delta.ts';

export type Job = (push: (delta: Delta) => void) => Promise<void>;

/**
 * Everything that the jobs tell, in order; `working` whenever nothing came for so long. The others of a job that throws
 * go on to their end.
 * @throws what the first of the jobs threw
 */
export async function* together(jobs: readonly Job[], atOnce: number, heartbeatMs: number): AsyncGenerator<Delta> {
  const left = [...jobs];
  let told: Delta[] = [];
  let wake: () => void = () => {};
  let isOver = false;
  const faults: unknown[] = [];
  const push = (delta: Delta) => {
    told.push(delta);
    wake();
  };
  const workers = Array.from({ length: Math.min(atOnce, jobs.length) }, async () => {
    for (let job = left.shift(); job && faults.length === 0; job = left.shift())
      await job(push).catch((error: unknown) => faults.push(error));
  });
  void Promise.all(workers).then(() => {
    isOver = true;
    wake();
  });
  for (;;) {
    const sent = told;
    told = [];
    yield* sent;
    if (told.length > 0) continue;
    if (isOver) break;
    if (!(await somethingCame())) yield { type: 'working' };
  }
  if (faults.length > 0) throw faults[0];

  function somethingCame(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), heartbeatMs);
      wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}
