import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { avatarBytesMax } from '@parley/schema/files/file-limits';
import { ASSISTANT_AVATAR_FIELD, AVATAR_FIELD } from '@parley/schema/files/upload-forms';
import { refuse } from '../../platform/errors.ts';
import { arrivalsFolder } from '../../storage/arrivals.ts';
import { saveAvatar } from '../avatar.ts';
import { receiveUpload } from './receive-upload.ts';
import type { FileSaverDeps } from '../save-file.ts';

/**
 * Receives a new avatar of the user, and returns its address.
 * @throws Refusal `invalid_input` for a file that is too large or no image; `storage_full`
 */
export function uploadAvatar(deps: FileSaverDeps, userId: string, incoming: IncomingMessage): Promise<string> {
  return receiveAvatar(deps, incoming, AVATAR_FIELD, (path) => saveAvatar(deps, userId, path, 'user'));
}

/** Receives a new picture of an assistant; `keep` gets the path of a temporary file. */
export function receiveAssistantAvatar<Kept>(
  deps: FileSaverDeps,
  incoming: IncomingMessage,
  keep: (path: string) => Promise<Kept>,
): Promise<Kept> {
  return receiveAvatar(deps, incoming, ASSISTANT_AVATAR_FIELD, keep);
}

async function receiveAvatar<Kept>(
  deps: FileSaverDeps,
  incoming: IncomingMessage,
  fieldName: string,
  keep: (path: string) => Promise<Kept>,
): Promise<Kept> {
  const folder = arrivalsFolder(deps.config);
  const max = avatarBytesMax(deps.config.files.limits);
  const { file } = await receiveUpload(incoming, { folder, fieldName, maxBytes: () => max });
  try {
    if (!file) return refuse({ type: 'invalid_input', text: `The form has no file in the field "${fieldName}".` });
    return await keep(file.path);
  } finally {
    if (file) await rm(file.path, { force: true });
  }
}
