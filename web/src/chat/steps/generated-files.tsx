import { toolFiles, type ToolCall } from '@parley/schema/messages/messages';
import { FileRow } from '../../files/message/file-row.tsx';
import { MessageImage } from '../../files/message/message-image.tsx';
import classes from './step.module.css';

const BOX = { width: 560, height: 420 };
/** Several images stand beside each other. */
const BOX_OF_SEVERAL = { width: 300, height: 220 };

/** The images and files that the tools of a step made: they stay in view when the step is folded. */
export function GeneratedFiles({ calls }: { calls: readonly Pick<ToolCall, 'outputs'>[] }) {
  const made = calls.flatMap(toolFiles);
  if (made.length === 0) return null;
  const box = made.filter(({ type }) => type === 'image').length > 1 ? BOX_OF_SEVERAL : BOX;
  return (
    <ul className={classes.madeFiles}>
      {made.map((one) => (
        <li key={one.fileId} data-type={one.type}>
          {one.type === 'image' ? <MessageImage image={one} box={box} /> : <FileRow file={one} />}
        </li>
      ))}
    </ul>
  );
}
