// What a model is shown for a reply, as the reply's details tell it. It grows while tools are used.
import type { ContextRecord, ImagePart } from '@parley/schema/messages/messages';
import { recordImages } from '../context/files/images-sent.ts';
import { imagesOf, type AttachmentRules, type HistoryMessage } from '../context/files/attachments.ts';
import { withShownPassages } from '../context/files/shown-passages.ts';
import type { Delta } from '../../generation/delta.ts';
import type { ShownPassage } from '../../retrieval/cite.ts';
import type { Ask } from '../ask-messages.ts';

export interface PromptRecord {
  /** The passages that the model got, by whose numbers it cites them. A search of files adds to them. */
  passages: ShownPassage[];
  /** Writes the images of these messages that could be read, with or without those of earlier calls. */
  setImages(messages: readonly HistoryMessage[], read: ReadonlySet<ImagePart>, hasSteps: boolean): void;
  /** One that a tool made in this run and the model is shown. */
  addImage(image: ImagePart): void;
  context(): ContextRecord;
  /** The record as a delta where it has changed since the last call. */
  changes(): Generator<Delta>;
}

interface RecordParts {
  ask: Pick<Ask, 'assistant' | 'endpoint'>;
  /** The record of messages, with that of files. */
  base: ContextRecord;
  rules: Pick<AttachmentRules, 'detail' | 'tokensOf'>;
  passages: ShownPassage[];
}

export function createPromptRecord({ ask, base, rules, passages }: RecordParts): PromptRecord {
  let images: ImagePart[] = [];
  let changed = '';
  return {
    passages,
    setImages(messages, read, hasSteps) {
      const all = messages.flatMap((message) => (hasSteps ? imagesOf(message) : (message.images ?? [])));
      images = all.filter((image) => read.has(image));
    },
    addImage: (image) => void images.push(image),
    context,
    *changes() {
      const state = `${images.map(({ fileId }) => fileId).join(' ')} ${passages.length}`;
      if (state === changed) return;
      changed = state;
      yield { type: 'context', context: context(), passages };
    },
  };

  function context(): ContextRecord {
    const { assistant, endpoint } = ask;
    const record = {
      ...base,
      ...(images.length > 0 && { images: recordImages(images, endpoint.type, rules) }),
      ...(assistant && { assistantId: assistant.id }),
    };
    return withShownPassages(record, passages);
  }
}
