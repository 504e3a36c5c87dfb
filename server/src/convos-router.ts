// What several domains do with conversations, under one name for clients.
import { keepTemporaryRouter } from './chat/router.ts';
import { storedConvosRouter } from './convos/router.ts';
import { feedRouter } from './feed/router.ts';
import { convoFoldersRouter } from './folders/router.ts';
import { forksRouter } from './forks/router.ts';
import { mergeRouters, type Mountable } from './http/trpc.ts';
import { searchRouter } from './search/router.ts';
import type { Deps } from './services.ts';
import { trashRouter } from './trash/router.ts';

const parts = [
  storedConvosRouter,
  convoFoldersRouter,
  keepTemporaryRouter,
  forksRouter,
  trashRouter,
  searchRouter,
  feedRouter,
] as const satisfies readonly Mountable<Deps>[string][];

export const convosRouter = mergeRouters(...parts);
