// GET /images/assistants/…: the image of an assistant, for everybody with whom it is shared, as long as it is.
import { files, fileUses } from '@parley/db/tables/files';
import { isImageType } from '@parley/schema/files/file-types';
import { Id } from '@parley/schema/ids';
import { and, eq } from 'drizzle-orm';
import type { Hono } from 'hono';
import type { FileRow } from '../files/present.ts';
import { guardFiles, NOT_FOUND, refuseFile, sendImage } from '../files/serve/send-file.ts';
import { fileViewer, type ServingServices } from '../files/serve/serve-route.ts';
import type { HttpEnv } from '../platform/requests/http-env.ts';
import { assistantRules, isAllowed } from './rules.ts';
import { findUsable } from './shared-assistants.ts';
import type { CoreServices } from '../platform/requests/request-services.ts';

export function mountAssistantAvatars(hono: Hono<HttpEnv>, deps: ServingServices): void {
  hono.get('/images/assistants/:id/:name', (c) =>
    guardFiles(deps, c, async () => {
      const { viewer, bannedUntil } = await fileViewer(deps, c);
      if (viewer === null || bannedUntil) return refuseFile(401, 'Unauthorized');
      const { id, name } = c.req.param();
      const file = await findAvatar(deps, viewer, id, name);
      return file && isImageType(file.mime) ? sendImage(deps, c, file) : refuseFile(404, NOT_FOUND);
    }),
  );
}

/** The avatar itself: none of its owner's other files, whatever the name says. */
async function findAvatar(
  { db: { query }, config }: CoreServices,
  viewer: string,
  id: string,
  name: string,
): Promise<FileRow | undefined> {
  const rules = assistantRules(config);
  const assistant = isAllowed(id, rules) ? await findUsable(query, viewer, id, rules) : undefined;
  if (!assistant) return undefined;
  const { userId } = assistant;
  const { data: fileId } = Id.safeParse(name.split('__', 1)[0]);
  if (fileId === undefined) return undefined;
  const isItsAvatar = and(eq(fileUses.userId, userId), eq(fileUses.kind, 'avatar'), eq(fileUses.ref, id));
  const [found] = await query
    .select({ file: files })
    .from(files)
    .innerJoin(fileUses, and(eq(fileUses.userId, files.userId), eq(fileUses.fileId, files.id)))
    .where(and(isItsAvatar, eq(files.id, fileId)));
  return found?.file;
}
