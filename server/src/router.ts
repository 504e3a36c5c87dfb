import { adminRouter } from './admin/router.ts';
import { apiKeysRouter } from './api-keys/router.ts';
import { askRouters } from './ask-routers.ts';
import { assistantsRouter } from './assistants/router.ts';
import { authRouter } from './auth/router.ts';
import { convosRouter } from './convos-router.ts';
import { endpointsRouter } from './catalog/router.ts';
import { filesRouter } from './files/router.ts';
import { foldersRouter } from './folders/router.ts';
import { keysRouter } from './keys/router.ts';
import { compareRouter, messagesRouter } from './chat/router.ts';
import { presetsRouter } from './presets/router.ts';
import { promptsRouter } from './prompts/router.ts';
import { settingsRouter } from './settings/router.ts';
import { sharesRouter } from './shares/router.ts';
import { speechRouter } from './speech/router.ts';
import { toolRouters } from './tool-routers.ts';
import { usageRouter } from './usage/router.ts';
import { withServices, type Mountable } from './http/trpc.ts';
import type { Deps } from './services.ts';

const { createCallerFactory, router } = withServices<Deps>();

export const appRouter = router({
  auth: authRouter,
  convos: convosRouter,
  messages: messagesRouter,
  compare: compareRouter,
  ...askRouters,
  settings: settingsRouter,
  shares: sharesRouter,
  speech: speechRouter,
  folders: foldersRouter,
  presets: presetsRouter,
  prompts: promptsRouter,
  files: filesRouter,
  keys: keysRouter,
  apiKeys: apiKeysRouter,
  usage: usageRouter,
  ...toolRouters,
  assistants: assistantsRouter,
  endpoints: endpointsRouter,
  admin: adminRouter,
} satisfies Mountable<Deps>);

export type AppRouter = typeof appRouter;

/** Calls procedures in process, for the REST API and tests. */
export const createCaller = createCallerFactory(appRouter);
export type Api = ReturnType<typeof createCaller>;
