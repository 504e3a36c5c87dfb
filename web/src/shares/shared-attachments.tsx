import type { ImagePart } from '@parley/schema/messages/messages';
import type { SharedPart } from '@parley/schema/convos/shares';
import { GeneratedFiles } from '../chat/steps/generated-files.tsx';
import { MessageAttachments } from '../files/message/message-attachments.tsx';
import { ThreadImages } from '../files/message/message-image.tsx';
import { attachmentsOfShared } from './shared-files.ts';

interface SharedAttachmentsProps {
  shareId: string;
  parts: readonly SharedPart[];
  /** Of a question, above its text; else of an answer. */
  isQuestion: boolean;
  /** All images on screen: the large view steps through them. */
  readImages: () => readonly ImagePart[];
}

/** The images and files among parts of a shared message. */
export function SharedAttachments({ shareId, parts, isQuestion, readImages }: SharedAttachmentsProps) {
  const attached = attachmentsOfShared(shareId, parts);
  return (
    <ThreadImages value={readImages}>
      {isQuestion ? (
        <MessageAttachments message={{ parts: attached }} />
      ) : (
        <GeneratedFiles calls={[{ outputs: attached }]} />
      )}
    </ThreadImages>
  );
}
