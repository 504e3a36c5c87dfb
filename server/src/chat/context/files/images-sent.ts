// The images of a request, as the record of its reply tells them.
import { endpointTable, type EndpointType } from '@parley/schema/catalog/endpoints';
import type { ContextImage, ImagePart } from '@parley/schema/messages/messages';
import type { AttachmentRules } from './attachments.ts';

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
