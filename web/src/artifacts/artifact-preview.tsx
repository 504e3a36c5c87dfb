import type { Artifact } from '@parley/schema/artifacts/find-artifacts';
import { useCallback, useMemo, useState, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ArtifactScopeContext } from '../content/artifacts/artifact-place.ts';
import { Diagram, type Drawing } from '../content/diagram/diagram.tsx';
import { LazyMarkdown } from '../content/lazy-markdown.tsx';
import { parseCsv } from '../files/text/read-cells.ts';
import { TableView } from '../files/viewer/table-view.tsx';
import type { Finder } from '../files/viewer/finder.ts';
import classes from './artifact-view.module.css';
import { LinkList } from './links/link-list.tsx';
import { RunningFrame } from './run/running-frame.tsx';
import type { Run } from './run/use-run.ts';
import { ScrollRegion } from '../ui/primitives/scroll-region.tsx';

interface ArtifactPreviewProps {
  artifact: Pick<Artifact, 'kind' | 'source'>;
  run: Run;
  onLeave: () => void;
  /** For people who do not see it. */
  label: string;
}

/** An artifact as what it is. */
export function ArtifactPreview({ artifact: { kind, source }, label, run, onLeave }: ArtifactPreviewProps) {
  const { t } = useTranslation();
  if (run.isRunning)
    return (
      <RunningFrame
        key={source}
        title={label}
        code={source}
        kind={kind}
        onNews={(news) => (news.state === 'left' ? onLeave() : run.hear(news))}
        onEnd={run.end}
        onReady={run.allow}
      />
    );
  switch (kind) {
    case 'html':
    case 'svg':
      return (
        <>
          <StillFrame title={label} code={source} isSvg={kind === 'svg'} />
          <LinkList source={source} />
        </>
      );
    case 'markdown':
      return <Document label={label} source={source} />;
    case 'csv':
      return <CsvTable source={source} />;
    case 'mermaid':
      return <WholeDiagram key={source} source={source} />;
    case 'react':
      return (
        <p className={classes.waiting}>{t(run.canRun ? 'com_artifact_run_first' : 'com_content_preview_still')}</p>
      );
    default:
      return kind satisfies never;
  }
}

/** Blocks of code within it are a part of it. */
function Document({ label, source }: { label: string; source: string }) {
  return (
    <ScrollRegion className={classes.scroll} role="region" aria-label={label}>
      <ArtifactScopeContext value={null}>
        <LazyMarkdown text={source} streaming={false} />
      </ArtifactScopeContext>
    </ScrollRegion>
  );
}

/** Nothing is searched in it. */
const FINDER: Finder = { text: '', presses: 0, step: 1, report: () => {} };

function CsvTable({ source }: { source: string }) {
  const sheets = useMemo(() => {
    const [columns = [], ...rows] = parseCsv(source);
    return [{ name: '', columns, rows, passages: null }];
  }, [source]);
  return <TableView sheets={sheets} cited={null} finder={FINDER} />;
}

function WholeDiagram({ source }: { source: string }) {
  const { t } = useTranslation();
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const hear = useCallback((news: Drawing | { state: 'failed' }) => {
    setFailed(news.state === 'failed');
    if (news.state === 'drawn') setDrawing(news);
  }, []);
  return (
    <div className={classes.drawing}>
      {hasFailed && <p className={classes.note}>{t('com_content_diagram_failed')}</p>}
      <Diagram source={source} drawing={drawing} onNews={hear} />
    </div>
  );
}

/** A page or picture in a frame that runs nothing and reaches nothing. */
function StillFrame({ title, code, isSvg }: { title: string; code: string; isSvg: boolean }) {
  const frame = useRef<HTMLIFrameElement>(null);
  // Its origin is none that could be named.
  const send = useCallback(() => frame.current?.contentWindow?.postMessage({ code, isSvg }, '*'), [code, isSvg]);
  // For changes after it has loaded.
  useEffect(() => void send(), [send]);
  return (
    <iframe
      ref={frame}
      className={classes.frame}
      title={title}
      src="/artifact/still.html"
      sandbox="allow-scripts"
      onLoad={send}
    />
  );
}
