// What a model is shown for a reply, as the reply's details tell it. It grows while tools are used.
import type { Db } from '@parley/db/client';
import type { ContextRecord, ImagePart, Message, ContextImage } from '@parley/schema/messages/messages';
import { messageImages, type HistoryMessage, type AttachmentRules } from '../context/files/attachments.ts';
import {
  continuePassages,
  noteContext,
  readShownPassages,
  withShownPassages,
} from '../context/files/shown-passages.ts';
import type { Delta } from '../../generation/delta.ts';
import type { ShownPassage } from '../../retrieval/cite.ts';
import type { Ask } from '../begin/ask.ts';
import type { RunKey } from '../finalize.ts';
import type { BranchFiles } from './branch-files.ts';
import { endpointTable, type EndpointType } from '@parley/schema/catalog/endpoints';

export interface PromptRecord {
  /** Lists the passages that the model got, whose numbers it cites. A search of files adds to them. */
  passages: ShownPassage[];
  /** Writes the images of these messages that could be read, with or without those of earlier calls. */
  setImages(messages: readonly HistoryMessage[], read: ReadonlySet<ImagePart>, hasSteps: boolean): void;
  /** Adds one that a tool made in this run and the model is shown. */
  addImage(image: ImagePart): void;
  context(): ContextRecord;
  /** Writes it to the reply: if this process dies, recovery can tell what the marks of the reply cite. */
  note(): Promise<void>;
  /** Gives the record as a delta if it has changed since the last call. */
  changes(): Generator<Delta>;
}

interface Recorded {
  key: RunKey;
  reply: Message;
  files: Pick<BranchFiles, 'shown' | 'attachments'>;
  /** Holds the record of messages. */
  context: ContextRecord;
}

/** Begins the record, and notes it at once where the marks of the reply may cite something. */
export async function beginRecord(
  db: Db,
  { assistant, endpoint }: Pick<Ask, 'assistant' | 'endpoint'>,
  { key, reply, files, context: base }: Recorded,
): Promise<PromptRecord> {
  const { shown, attachments } = files;
  const earlier = reply.parts.length > 0 ? await readShownPassages(db.query, key.userId, reply.context) : [];
  const passages = earlier.length > 0 ? continuePassages(shown.passages, earlier) : [...shown.passages];
  let images: ImagePart[] = [];
  let changed = '';
  const note = () => noteContext(db, key, reply.messageId, context());
  if (passages.length > 0 || reply.context) await note();
  return {
    passages,
    setImages(messages, read, hasSteps) {
      const all = messages.flatMap((message) => (hasSteps ? messageImages(message) : (message.images ?? [])));
      images = all.filter((image) => read.has(image));
    },
    addImage: (image) => void images.push(image),
    context,
    note,
    *changes() {
      const state = `${images.map(({ fileId }) => fileId).join(' ')} ${passages.length}`;
      if (state === changed) return;
      changed = state;
      yield { type: 'context', context: context(), passages };
    },
  };

  function context(): ContextRecord {
    const record = {
      ...base,
      ...(shown.record.length > 0 && { files: shown.record }),
      ...(images.length > 0 && { images: recordImages(images, endpoint.type, attachments) }),
      ...(assistant && { assistantId: assistant.id }),
    };
    return passages.length > 0 ? withShownPassages(record, passages) : record;
  }
}

// The images of a request, as the record of its reply tells them.

/** Each image once, in the order of the messages. */
function recordImages(
  images: readonly ImagePart[],
  endpointType: EndpointType,
  { detail, tokensOf }: Pick<AttachmentRules, 'detail' | 'tokensOf'>,
): ContextImage[] {
  const hasDetail = Object.hasOwn(endpointTable[endpointType].params, 'imageDetail');
  const each = new Map(images.map((image) => [image.fileId, image]));
  return [...each.values()].map((image) => {
    const { fileId, name, width, height } = image;
    return { fileId, ...(name && { name }), width, height, ...(hasDetail && { detail }), tokens: tokensOf(image) };
  });
}
