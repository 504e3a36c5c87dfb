// Replaces the ids of files and assistants in an export by those that they have here.
import type { Settings } from '@parley/schema/catalog/params';
import { withoutUndefined } from '@parley/schema/entries';
import type { PictureRecord } from '@parley/schema/pictures/picture';
import { isAttachment, type Attachment, type ContextRecord, type MessagePart } from '@parley/schema/messages/messages';

/** A file that is kept here, by its id in the export. */
export type FindFile = (fileId: string) => Attachment | undefined;

/** Keeps a picture that stands in the file as a `data:` address; undefined for another address, and what is not kept. */
export type KeepPicture = (address: string, name: string | null) => Promise<Attachment | undefined>;

/** What came with conversations, by its id in the export. */
export interface StoredLinks {
  file: FindFile;
  /** The id of an assistant here. */
  assistant(id: string): string | undefined;
  /** Absent where files are not kept. */
  keepPicture?: KeepPicture;
}

export const nothingStored: StoredLinks = { file: () => undefined, assistant: () => undefined };

/** A part whose files, those of its citations and tools included, are the kept ones. Others stay mere names. */
export function relinkPart(part: MessagePart, stored: FindFile): MessagePart {
  switch (part.type) {
    case 'image':
    case 'file':
      return relinkFile(part, stored);
    case 'text':
      return part.citations ? { ...part, citations: part.citations.map((one) => relinkId(one, stored)) } : part;
    case 'tool_call': {
      const { outputs } = part.call;
      if (!outputs) return part;
      const own = outputs.map((output) => (isAttachment(output) ? relinkFile(output, stored) : output));
      return { ...part, call: { ...part.call, outputs: own } };
    }
    case 'reasoning':
    case 'pending_picture':
    case 'error':
      return part;
    default:
      return part satisfies never;
  }
}

export function relinkContext(
  context: ContextRecord,
  { file: findFile, assistant }: Pick<StoredLinks, 'file'> & Partial<StoredLinks>,
): ContextRecord {
  const { files, images, assistantId, picture } = context;
  return {
    ...context,
    ...(files && { files: files.map((file) => relinkId(file, findFile)) }),
    ...(images && { images: images.map((image) => relinkId(image, findFile)) }),
    ...(assistantId !== undefined && { assistantId: assistant?.(assistantId) ?? assistantId }),
    ...(picture && { picture: relinkPicture(picture, findFile) }),
  };
}

export function relinkSettings(settings: Settings, stored: Pick<StoredLinks, 'assistant'>): Settings {
  return relinkIds(settings, stored);
}

/** The same of settings that are checked when they are used. */
export function relinkIds<Given extends Record<string, unknown>>(
  settings: Given,
  stored: Pick<StoredLinks, 'assistant'>,
): Given {
  const { assistant_id: id } = settings;
  const own = typeof id === 'string' ? stored.assistant(id) : undefined;
  return own === undefined ? settings : { ...settings, assistant_id: own };
}

function relinkFile(file: Attachment, stored: FindFile): Attachment {
  const found = stored(file.fileId);
  if (!found) return file;
  if (found.type !== 'image' || file.type !== 'image') return found;
  const { prompt, revisedPrompt, size, credits } = file;
  return { ...found, ...withoutUndefined({ prompt, revisedPrompt, size, credits }) };
}

function relinkPicture({ from, maskFileId, ...picture }: PictureRecord, stored: FindFile): PictureRecord {
  const here = (id: string) => stored(id)?.fileId ?? id;
  return { ...picture, from: from.map(here), ...(maskFileId !== undefined && { maskFileId: here(maskFileId) }) };
}

function relinkId<Named extends { fileId: string }>(named: Named, stored: FindFile): Named {
  return { ...named, fileId: stored(named.fileId)?.fileId ?? named.fileId };
}
