import type { Assistant } from '@parley/schema/assistants/assistants';
import { EndpointIcon } from '../endpoint-icons.tsx';
import classes from './assistant-avatar.module.css';

interface AssistantAvatarProps {
  assistant: Pick<Assistant, 'metadata'> | null;
  size: 'small' | 'medium' | 'large';
}

/** Same-origin paths only: the owner of another site would see who uses this one. */
const OURS = /^\/(?!\/)/;

/** Its avatar, or the mark of assistants. The name stands beside it. */
export function AssistantAvatar({ assistant, size }: AssistantAvatarProps) {
  const { avatar } = assistant?.metadata ?? {};
  if (avatar && OURS.test(avatar)) return <img className={classes.picture} data-size={size} src={avatar} alt="" />;
  return <EndpointIcon endpoint="assistants" endpointType="assistants" model={null} size={size} />;
}
