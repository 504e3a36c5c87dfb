// What domains answer outside of tRPC: REST, files, imports and exports, the ways back from a sign-in.
import type { Hono } from 'hono';
import { mountConnections } from './actions/connection-routes.ts';
import { mountAssistantAvatars } from './assistants/serve-avatar.ts';
import { mountOAuth } from './auth/oauth/routes.ts';
import { mountFiles } from './files/serve/serve-route.ts';
import { mountUploads } from './files/upload/upload-route.ts';
import type { HttpEnv } from './platform/requests/http-env.ts';
import { mountRest } from './rest/mount.ts';
import type { Deps } from './services.ts';
import { createCaller } from './router.ts';
import { mountSharedFiles } from './shares/serve-files.ts';
import { mountExport } from './transfer/archive/export-route.ts';
import { mountImport } from './transfer/import-route.ts';
import { mountV1 } from './v1/routes.ts';

export function mountDomains(hono: Hono<HttpEnv>, deps: Deps): void {
  mountImport(hono, deps);
  mountExport(hono, deps);
  mountUploads(hono, deps);
  mountFiles(hono, deps);
  mountAssistantAvatars(hono, deps);
  mountSharedFiles(hono, deps);
  mountRest(hono, { ...deps, procedures: (context, signal) => createCaller({ ...context, deps }, { signal }) });
  mountV1(hono, deps);
  mountOAuth(hono, deps);
  mountConnections(hono, deps);
}
