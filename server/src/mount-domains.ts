// What domains answer outside of tRPC: REST, files, imports and exports, the ways back from a sign-in.
import type { Hono } from 'hono';
import { mountConnections } from './actions/connection-routes.ts';
import { addAssistantFile } from './assistants/assistants.ts';
import { saveAssistantAvatar } from './assistants/avatar.ts';
import { assertBuilder } from './assistants/rules.ts';
import { mountAssistantAvatars } from './assistants/serve-avatar.ts';
import { mountOAuth } from './auth/oauth/routes.ts';
import { mountFiles } from './files/serve/serve-route.ts';
import { mountUploads, type AssistantUploads } from './files/upload/upload-route.ts';
import type { HttpEnv } from './platform/requests/http-env.ts';
import { presentRestAssistant } from './rest/present/present-assistant.ts';
import { presentRestFile, presentUploadedFile } from './rest/present/present-file.ts';
import { mountRest } from './rest/mount.ts';
import type { Deps } from './services.ts';
import { createCaller } from './router.ts';
import { mountSharedFiles } from './shares/serve-files.ts';
import { mountSpeech } from './speech/speech-routes.ts';
import { mountExport } from './transfer/archive/export-route.ts';
import { mountImport } from './transfer/import-route.ts';
import { mountV1 } from './v1/routes.ts';

export function mountDomains(hono: Hono<HttpEnv>, deps: Deps): void {
  mountImport(hono, deps);
  mountExport(hono, deps);
  mountUploads(hono, { ...deps, assistantUploads: assistantUploads(deps), presentUpload: presentUploadedFile });
  mountSpeech(hono, deps);
  mountFiles(hono, deps, presentRestFile);
  mountAssistantAvatars(hono, deps);
  mountSharedFiles(hono, deps);
  mountRest(hono, { ...deps, procedures: (context, signal) => createCaller({ ...context, deps }, { signal }) });
  mountV1(hono, deps);
  mountOAuth(hono, deps);
  mountConnections(hono, deps);
}

function assistantUploads(deps: Deps): AssistantUploads {
  return {
    assertOn: () => assertBuilder(deps),
    addFile: (userId, assistantId, fileId) => addAssistantFile(deps.db, userId, assistantId, fileId),
    saveAvatar: async (...given) => presentRestAssistant(await saveAssistantAvatar(deps, ...given)),
  };
}
