import type { Db } from '@parley/db/client';
import type { Convo } from '@parley/schema/convos/convos';
import { folderInstructions } from '../../folders/folders.ts';

/** The conversation as the model is shown it: with the instructions of its folder before its own. */
export async function withFolder(db: Db, userId: string, convo: Convo): Promise<Convo> {
  const shared = (await folderInstructions(db, userId, convo.folderId)).trim();
  if (shared === '') return convo;
  const { promptPrefix: own } = convo.settings;
  const promptPrefix = typeof own === 'string' && own.trim() !== '' ? `${shared}\n\n${own}` : shared;
  return { ...convo, settings: { ...convo.settings, promptPrefix } };
}
