// The files attached to unsent questions, by the key of the draft. What is uploaded is part of the draft, in all
// browsers of the user; an upload in progress or a failed one ends with the page.
import type { Attachment } from '@parley/schema/messages/messages';
import { atom, type WritableAtom } from 'jotai';
import type { StoredMap } from '../../lib/stored-map.ts';
import { attached, EMPTY_DRAFT, isBlank, type LocalDraft } from './local-draft.ts';

export interface DraftAttachment {
  /** Made here; the server gets it as the upload's temporary id. */
  id: string;
  name: string;
  mime: string;
  bytes: number;
  /** From 0.2 (chosen) to 1 (uploaded). */
  progress: number;
  /** Why the upload failed, as a sentence. */
  failure?: string | undefined;
  /** The address of a preview in this page. */
  preview?: string | undefined;
  /** Set once it is uploaded. */
  attachment: Attachment | null;
  /** Something else may use the file: taking it out of the question does not delete it. */
  isShared: boolean;
  /** It was deleted meanwhile: the question cannot be sent with it. */
  isGone?: boolean | undefined;
}

export type AttachmentsAtom = WritableAtom<readonly DraftAttachment[], [next: readonly DraftAttachment[]], void>;

const NONE: readonly DraftAttachment[] = [];

/** The files of each draft: those that are uploaded are part of it, the rest is known to this page only. */
export function createDraftAttachments(local: StoredMap<LocalDraft>): (key: string) => AttachmentsAtom {
  const atoms = new Map<string, AttachmentsAtom>();

  function createAttachmentsAtom(key: string): AttachmentsAtom {
    const entry = local.entry(key);
    const chips = atom(NONE);
    return atom(
      (get) => mergeChips(get(chips), get(entry)?.files ?? []),
      (get, set, next) => {
        set(chips, next);
        const draft = get(entry) ?? EMPTY_DRAFT;
        const changed = attached(draft, uploadedAttachments(next), Date.now());
        if (changed !== draft) set(entry, isBlank(changed) ? undefined : changed);
      },
    );
  }

  return (key) => {
    const known = atoms.get(key) ?? createAttachmentsAtom(key);
    atoms.set(key, known);
    return known;
  };
}

/** The chips of this page, without files that another browser has taken out and with those that it has added. */
function mergeChips(chips: readonly DraftAttachment[], files: readonly Attachment[]): readonly DraftAttachment[] {
  if (chips.length === 0 && files.length === 0) return NONE;
  const shared = new Set(files.map(({ fileId }) => fileId));
  const own = chips.filter(({ attachment }) => !attachment || shared.has(attachment.fileId));
  const here = new Set(own.map(({ attachment }) => attachment?.fileId));
  return [...own, ...files.filter(({ fileId }) => !here.has(fileId)).map(asOwn)];
}

/** A file of the draft that is taken out with it: the server knows whether something else uses it. */
export function asOwn(attachment: Attachment): DraftAttachment {
  return { ...asDraftAttachment(attachment), isShared: false };
}

/** A stored file as an attachment of a question. */
export function asDraftAttachment(attachment: Attachment): DraftAttachment {
  return {
    name: '',
    mime: '',
    bytes: 0,
    ...attachment,
    id: attachment.fileId,
    progress: 1,
    attachment,
    isShared: true,
  };
}

/** Whether a question with these can be sent: nothing is being uploaded, has failed or is gone. */
export function areUploaded(attachments: readonly DraftAttachment[]): boolean {
  return attachments.every(({ attachment, isGone }) => attachment && !isGone);
}

/** Whether a question with these can be sent once their uploads end. */
export function areUploading(attachments: readonly DraftAttachment[]): boolean {
  return !areUploaded(attachments) && attachments.every(({ failure, isGone }) => !failure && !isGone);
}

/** The files of a question in the order they are shown. */
export function uploadedAttachments(attachments: readonly DraftAttachment[]): Attachment[] {
  return attachments.flatMap(({ attachment }) => attachment ?? []);
}
