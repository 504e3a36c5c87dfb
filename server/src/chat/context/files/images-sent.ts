// The images of a request, as the record of its answer tells them.
import { endpointTable, type EndpointType } from '@parley/schema/catalog/endpoints';
import type { ContextImage, ImagePart } from '@parley/schema/messages/messages';
import { imagesOf, type AttachmentRules, type HistoryMessage } from './attachments.ts';

/** Those that the requests of one run have carried so far. */
export interface SentImages {
  list(): readonly ImagePart[];
  /** Those of a request that could be read, with or without the calls of earlier answers. */
  set(messages: readonly HistoryMessage[], read: ReadonlySet<ImagePart>, { hasSteps }: { hasSteps: boolean }): void;
  /** One that was made in this run. */
  add(image: ImagePart): void;
}

export function createSentImages(onChange: () => void): SentImages {
  let images: ImagePart[] = [];
  return {
    list: () => images,
    set(messages, read, { hasSteps }) {
      const all = messages.flatMap((message) => (hasSteps ? imagesOf(message) : (message.images ?? [])));
      images = all.filter((image) => read.has(image));
      onChange();
    },
    add(image) {
      images.push(image);
      onChange();
    },
  };
}

/** Each image once, in the order of the messages. */
export function recordImages(
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
