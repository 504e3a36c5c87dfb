// What several domains do with conversations, under one name for clients.
import { keepTemporaryRouter } from './chat/router.ts';
import { storedConvosRouter } from './convos/router.ts';
import { feedRouter } from './feed/router.ts';
import { convoFoldersRouter } from './folders/router.ts';
import { forksRouter } from './forks/router.ts';
import { mergeRouters } from './http/trpc.ts';
import { searchRouter } from './search/router.ts';
import { trashRouter } from './trash/router.ts';

export const convosRouter = mergeRouters(
  storedConvosRouter,
  convoFoldersRouter,
  keepTemporaryRouter,
  forksRouter,
  trashRouter,
  searchRouter,
  feedRouter,
);
