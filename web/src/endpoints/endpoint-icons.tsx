import { endpointTable, type EndpointType } from '@parley/schema/catalog/endpoints';
import { useState, type ReactNode } from 'react';
import { isDemo } from '../catalog/model-target.ts';
import { trpc } from '../trpc.ts';
import { LazyBoundary } from '../ui/lazy/lazy-boundary.tsx';
import classes from './endpoint-icons.module.css';
import { logo } from '../ui/logos/lazy-logo.ts';

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
  // The built-in demo has the product's own icon.
  const isOwn = isDemo({ endpoint, model });
  const letter = isOwn ? 'P' : endpointTable[endpointType].label.charAt(0);
  const name = endpointType === 'custom' ? WELL_KNOWN.exec(endpoint.toLowerCase())?.[0] : marks[endpointType];
  const plain = (isOwn ? undefined : drawings[endpointType]) ?? (
    <span className={classes.letter} data-late={name !== undefined || undefined}>
      {letter}
    </span>
  );
  const drawing = name ? (
    <LazyBoundary isQuiet fallback={plain}>
      <logo.Screen name={name} />
    </LazyBoundary>
  ) : (
    plain
  );
  return (
    <span className={classes.icon} data-size={size} data-purple={model?.includes('gpt-4') || undefined} aria-hidden>
      {endpointType === 'custom' && !isDrawn ? <IconImage endpoint={endpoint} drawing={drawing} /> : drawing}
      {hasFailed && <span className={classes.badge}>!</span>}
    </span>
  );
}

/** The operator's icon for a custom endpoint, if it loads. */
function IconImage({ endpoint, drawing }: { endpoint: string; drawing: ReactNode }) {
  const url = trpc.endpoints.list.useQuery(undefined, { staleTime: Infinity }).data?.[endpoint]?.iconURL;
  const [broken, setBroken] = useState<string>();
  if (!url || url === broken) return drawing;
  return <img className={classes.picture} src={url} alt="" onError={() => setBroken(url)} />;
}

/** The names of the marks of built-in endpoints. */
const marks: Partial<Record<EndpointType, string>> = {
  openAI: 'openai',
  azureOpenAI: 'azure',
  google: 'google',
  anthropic: 'anthropic',
  bingAI: 'bing',
  chatGPTBrowser: 'openai',
};

const WELL_KNOWN =
  /anthropic|azure|bing|cohere|deepseek|fireworks|gemini|google|groq|meta|mistral|ollama|openai|openrouter|perplexity|together|xai/;

function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 24 24" className={classes.drawn}>
      {children}
    </svg>
  );
}

const drawings: Partial<Record<EndpointType, ReactNode>> = {
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
