import { endpointTable, type EndpointType } from '@parley/schema/catalog/endpoints';
import { useState, type ReactNode } from 'react';
import { trpc } from '../trpc.ts';
import classes from './endpoint-icons.module.css';

export interface EndpointIconProps {
  endpointType: EndpointType;
  endpoint: string;
  model: string | null;
  /** Large on a landing page, without a frame in a menu. */
  size?: 'small' | 'medium' | 'large';
  /** Shows a red badge. */
  hasFailed?: boolean;
  /** Leaves out a custom icon, which may be cross-origin: an export draws this icon into a file. */
  isDrawn?: boolean;
}

/** A round icon of the endpoint. Decorative: its name stands next to it. */
export function EndpointIcon(props: EndpointIconProps) {
  const { endpointType, endpoint, model, size = 'medium', hasFailed = false, isDrawn = false } = props;
  const letter = isOurs(endpoint, model) ? 'P' : endpointTable[endpointType].label.charAt(0);
  const drawn = isOurs(endpoint, model) ? undefined : drawings[endpointType];
  const drawing = drawn ?? <span className={classes.letter}>{letter}</span>;
  return (
    <span className={classes.icon} data-size={size} data-purple={model?.includes('gpt-4') || undefined} aria-hidden>
      {endpointType === 'custom' && !isDrawn ? <Picture endpoint={endpoint} drawing={drawing} /> : drawing}
      {hasFailed && <span className={classes.badge}>!</span>}
    </span>
  );
}

/** The operator's icon for a custom endpoint, if it loads. */
function Picture({ endpoint, drawing }: { endpoint: string; drawing: ReactNode }) {
  const url = trpc.endpoints.list.useQuery(undefined, { staleTime: Infinity }).data?.[endpoint]?.iconURL;
  const [broken, setBroken] = useState<string>();
  if (!url || url === broken) return drawing;
  return <img className={classes.picture} src={url} alt="" onError={() => setBroken(url)} />;
}

/** The built-in demo uses the product's own icon. */
function isOurs(endpoint: string, model: string | null): boolean {
  return endpoint === 'Demo' && model !== null && model.startsWith('parley');
}

function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 24 24" className={classes.drawn}>
      {children}
    </svg>
  );
}

const drawings: Partial<Record<EndpointType, ReactNode>> = {
  openAI: (
    <Drawing>
      <path d="M12 3l1.8 5.4L19 10l-5.2 1.6L12 17l-1.8-5.4L5 10l5.2-1.6z" />
      <path d="M18.5 16v4M16.5 18h4" />
    </Drawing>
  ),
  azureOpenAI: (
    <Drawing>
      <path d="M10 4h4l5.5 16H14l-1.2-3.5M10 4L4.5 20H9l6-16M11 12.5l4.5 4" />
    </Drawing>
  ),
  google: (
    <Drawing>
      <path d="M19.5 12H12.5M19.5 12a7.5 7.5 0 1 1-2.3-5.4" />
    </Drawing>
  ),
  anthropic: (
    <Drawing>
      <path d="M12 4v16M5.1 8l13.8 8M18.9 8L5.1 16" />
    </Drawing>
  ),
  bingAI: (
    <Drawing>
      <path d="M7 3.5l3.5 1.2v11.5L7 18.5zM10.5 9l6.5 3v4L10.5 20.5 7 18.5" />
    </Drawing>
  ),
  chatGPTBrowser: (
    <Drawing>
      <path d="M4 6.5h16v11H4zM4 10h16M7 8.3h.01M9.5 8.3h.01" />
    </Drawing>
  ),
  gptPlugins: (
    <Drawing>
      <path d="M9 4v4M15 4v4M7 8h10v4a5 5 0 0 1-10 0zM12 17v3.5" />
    </Drawing>
  ),
  assistants: (
    <Drawing>
      <path d="M6 9.5h12v9H6zM12 5v4.5M9.5 13.5h.01M14.5 13.5h.01M3.5 12.5v3M20.5 12.5v3" />
    </Drawing>
  ),
  custom: (
    <Drawing>
      <path d="M12 4l7 4v8l-7 4-7-4V8zM12 12l7-4M12 12v8M12 12L5 8" />
    </Drawing>
  ),
};
