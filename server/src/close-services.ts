// The end of a server's services: what runs is waited for, then saved or handed over to other processes.
import type { Logger } from 'pino';
import { untilIdle } from './http/open-calls.ts';
import { closeInOrder, closeTogether, type ShutdownStep } from './shutdown.ts';
import type { Timings } from './timings.ts';

interface Closes {
  close(): Promise<unknown> | void;
}

interface Closing {
  log: Logger;
  timings: Pick<Timings, 'shutdownGraceMs' | 'mailGraceMs'>;
  endTasks(): Promise<unknown>;
  /** Ends following what administrators change. */
  endFollowing(): void;
  recentBranches: Closes;
  socialAvatars: Closes;
  runs: { size(): number; close(graceMs: number): Promise<unknown> };
  apiCalls: { running: { size(): number; close(graceMs: number): Promise<unknown> } };
  endedIndexer: Closes;
  openCalls: { size(): number };
  retrieval: Closes;
  titles: Closes;
  mail: Closes | null;
  closeTools(): Promise<unknown>;
  generationLog: Closes;
  releaseLeases(): Promise<unknown>;
  pubsub: Closes;
}

/** How long replies may take to be saved after the grace, in milliseconds. */
const SAVE_MAX_MS = 2000;

/** Ends what begins answers, and the answers. Never rejects, and ends also where a step hangs. */
export async function endRuns(closing: Closing): Promise<void> {
  await closeInOrder(
    [
      { name: 'tasks', close: closing.endTasks },
      { name: 'changes of administrators', close: closing.endFollowing },
      { name: 'recent branches', close: closing.recentBranches.close },
      { name: 'pictures of sign-in sites', close: closing.socialAvatars.close },
      repliesEnd(closing),
    ],
    closing.log,
  );
}

/** Afterwards. Never rejects, and ends also where a step hangs. */
export async function closeServices(closing: Closing): Promise<void> {
  const { log, mail, timings } = closing;
  await closeTogether(
    [
      { name: 'extraction', close: closing.retrieval.close },
      { name: 'titles', close: closing.titles.close },
      { name: 'tools', close: closing.closeTools },
      ...(mail ? [{ name: 'mail', close: mail.close, maxMs: timings.mailGraceMs }] : []),
    ],
    log,
  );
  await closeInOrder(
    [
      { name: 'event log', close: closing.generationLog.close },
      { name: 'search entries', close: closing.endedIndexer.close },
      { name: 'leases', close: closing.releaseLeases },
      { name: 'notifications', close: closing.pubsub.close },
    ],
    log,
  );
}

/** Some calls wait for the end of a run, and others begin one: all are waited for together. */
function repliesEnd({ runs, apiCalls, openCalls, timings: { shutdownGraceMs: graceMs } }: Closing): ShutdownStep {
  const close = async () => {
    await untilIdle(() => runs.size() + apiCalls.running.size() + openCalls.size() > 0, graceMs);
    await Promise.all([runs.close(0), apiCalls.running.close(0)]);
  };
  return { name: 'answers', close, maxMs: graceMs + SAVE_MAX_MS };
}
