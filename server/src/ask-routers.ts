// What is not asked yet: typed, waiting for the end of an answer, or for its time; and who is told of an answer.
import { draftsRouter } from './drafts/router.ts';
import { noticesRouter } from './notices/router.ts';
import { queueRouter } from './queue/router.ts';
import { researchRouter } from './research/router.ts';
import { schedulesRouter } from './schedules/router.ts';

/** Stand in the root router by these names. */
export const askRouters = {
  drafts: draftsRouter,
  notices: noticesRouter,
  queue: queueRouter,
  research: researchRouter,
  schedules: schedulesRouter,
};
