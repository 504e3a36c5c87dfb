import type { ImagePart } from '@parley/schema/messages/messages';
import type { SharedPart } from '@parley/schema/convos/shares';
import { MadeFiles } from '../chat/steps/made-files.tsx';
import { MessageAttachments } from '../files/message/message-attachments.tsx';
import { ThreadPictures } from '../files/message/picture.tsx';
import { attachmentsOfShared } from './shared-files.ts';

interface SharedAttachmentsProps {
  shareId: string;
  parts: readonly SharedPart[];
  /** Of a question, above its text; else of an answer. */
  isQuestion: boolean;
  /** All pictures on screen: the large view steps through them. */
  readPictures: () => readonly ImagePart[];
}

/** The pictures and files among parts of a shared message. */
export function SharedAttachments({ shareId, parts, isQuestion, readPictures }: SharedAttachmentsProps) {
  const attached = attachmentsOfShared(shareId, parts);
  return (
    <ThreadPictures value={readPictures}>
      {isQuestion ? (
        <MessageAttachments message={{ parts: attached }} />
      ) : (
        <MadeFiles calls={[{ outputs: attached }]} />
      )}
    </ThreadPictures>
  );
}
