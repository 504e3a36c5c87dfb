import '@mantine/core/styles/Tabs.css';
import { Tabs } from '@mantine/core';
import type { ArtifactVersion } from '@parley/schema/artifacts/versions';
import {
  IconCheck,
  IconCopy,
  IconDownload,
  IconFolderPlus,
  IconMaximize,
  IconMinimize,
  IconX,
} from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { atom, useAtom } from 'jotai';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCopied } from '../content/use-copied.ts';
import { saveFile } from '../lib/save-file.ts';
import type { EntryAtom } from '../lib/stored-map.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { ArtifactEditor } from './artifact-editor.tsx';
import { ArtifactPreview } from './artifact-preview.tsx';
import { ArtifactSource } from './artifact-source.tsx';
import classes from './artifact-view.module.css';
import { artifactFile, KINDS } from './kinds.ts';
import { RunBar } from './run/run-bar.tsx';
import type { ArtifactEdits } from './use-artifact-edits.ts';
import { useKeepFile } from './use-keep-file.ts';
import { useRun } from './run/use-run.ts';
import { countLines } from '../content/code/count-lines.ts';
import { PlainButton } from '../ui/primitives/plain-button.tsx';

type Tab = 'preview' | 'source' | 'versions';

export interface ArtifactViewProps {
  /** Of this artifact on the branch, oldest first; at least one. */
  versions: readonly ArtifactVersion[];
  shown: ArtifactVersion;
  /** Some earlier answers are not loaded, so that nobody knows the number. */
  isNumbered: boolean;
  titleId: string;
  /** It may say what strangers want. */
  isForeign: boolean;
  /** Puts words about it into the message box; absent where there is none. */
  onAsk?: ((question: (t: TFunction) => string, quoted: string) => void) | undefined;
  /** Its reader has files of their own. */
  canKeep?: boolean;
  /** Edits by hand; absent where nothing is edited. */
  edits?: ArtifactEdits | undefined;
  /** F6 was pressed in its frame. */
  onLeave: () => void;
  /** Absent where it fills the page anyway. */
  full?: { isFull: boolean; toggle: () => void };
  onShow: (version: ArtifactVersion) => void;
  onClose: () => void;
}

/** An artifact with its name and what can be done with it. */
export function ArtifactView(props: ArtifactViewProps) {
  const { versions, shown, isForeign, onShow, onAsk, onLeave } = props;
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<Tab | null>(null);
  const run = useRun(shown, isForeign);
  // What is being written is read as it grows.
  const tab = chosen ?? (shown.isClosed ? 'preview' : 'source');
  const label = shown.title ?? t(KINDS[shown.kind].label);
  return (
    <div className={classes.view}>
      <Top {...props} label={label} />
      <Tabs
        value={tab}
        onChange={(name) => setChosen(name as Tab)}
        classNames={{ root: 'fill-column', list: classes.list, panel: classes.panel }}
      >
        <Tabs.List aria-label={label}>
          <Tabs.Tab value="preview" data-autofocus>
            {t('com_content_preview')}
          </Tabs.Tab>
          <Tabs.Tab value="source">{t('com_content_source')}</Tabs.Tab>
          <Tabs.Tab value="versions">{t('com_artifact_versions')}</Tabs.Tab>
        </Tabs.List>
        {/* What runs goes on behind the other tabs. */}
        <Tabs.Panel value="preview">
          <ArtifactPreview artifact={shown} label={label} run={run} onLeave={onLeave} />
          {['html', 'svg', 'react'].includes(shown.kind) && (
            <RunBar
              run={run}
              onExplain={onAsk && ((error) => onAsk((t) => t('com_artifact_explain_ask', { 0: label }), error))}
            />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="source">
          {tab === 'source' && (
            <SourcePanel
              {...props}
              onSaved={() => setChosen('preview')}
              onChange={onAsk && ((lines) => onAsk((t) => t('com_artifact_change_ask', { 0: label }), lines))}
            />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          {tab === 'versions' && (
            <ArtifactVersions
              versions={versions}
              shown={shown}
              onShow={(version) => {
                setChosen('preview');
                onShow(version);
              }}
            />
          )}
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}

interface SourcePanelProps extends Pick<ArtifactViewProps, 'versions' | 'shown' | 'edits' | 'onShow'> {
  onSaved: () => void;
  onChange: ((lines: string) => void) | undefined;
}

function SourcePanel({ versions, shown, edits, onShow, onSaved, onChange }: SourcePanelProps) {
  const { source, language, isClosed } = shown;
  const newest = versions.at(-1) ?? shown;
  // A block that is no version of anything is code of an answer; what is being written is not whole.
  const canEdit = edits && shown.version > 0 && newest.isClosed;
  const [draft, setDraft] = useAtom(canEdit ? edits.draftAtom(shown) : NOT_EDITED);
  if (!canEdit || draft === undefined)
    return (
      <ArtifactSource
        source={source}
        language={language}
        isWriting={!isClosed}
        onEdit={canEdit ? () => setDraft(source) : undefined}
        onChange={onChange}
      />
    );

  async function save(edited: string): Promise<string | null> {
    const problem = await (edits?.save(newest, edited) ?? null);
    if (problem !== null) return problem;
    setDraft(undefined);
    onShow(newest);
    onSaved();
    return null;
  }

  return <ArtifactEditor source={source} draft={draft} onDraft={setDraft} onSave={save} />;
}

const NOT_EDITED: EntryAtom<string> = atom(
  () => undefined,
  () => {},
);

interface TopProps extends ArtifactViewProps {
  label: string;
}

function Top({ versions, shown, isNumbered, titleId, canKeep, full, onClose, label }: TopProps) {
  const { t } = useTranslation();
  const { keep, isKeeping } = useKeepFile();
  const { copied, copy } = useCopied();
  const { source, version } = shown;
  return (
    <div className={classes.top}>
      <div className={classes.title}>
        <h2 id={titleId} dir="auto" data-tooltip={label} data-cut>
          {label}
        </h2>
        {isNumbered && versions.length > 1 && (
          <span className={classes.number}>
            {t('com_artifact_version_of', { 0: version, 1: versions.at(-1)?.version ?? version })}
          </span>
        )}
      </div>
      <IconButton label={copied ? t('com_content_copied') : t('com_content_copy')} onClick={() => copy(source)}>
        {copied ? <IconCheck aria-hidden /> : <IconCopy aria-hidden />}
      </IconButton>
      <IconButton label={t('com_artifact_save')} onClick={() => download(shown)}>
        <IconDownload aria-hidden />
      </IconButton>
      {/* What is being written is not whole. */}
      {canKeep && shown.isClosed && (
        <IconButton label={t('com_artifact_keep')} aria-busy={isKeeping} onClick={() => void keep(artifactFile(shown))}>
          <IconFolderPlus aria-hidden />
        </IconButton>
      )}
      {full && (
        <IconButton label={t(full.isFull ? 'com_artifact_full_end' : 'com_artifact_full')} onClick={full.toggle}>
          {full.isFull ? <IconMinimize aria-hidden /> : <IconMaximize aria-hidden />}
        </IconButton>
      )}
      <IconButton label={t('com_artifact_close')} onClick={onClose}>
        <IconX aria-hidden />
      </IconButton>
    </div>
  );
}

function download(artifact: ArtifactVersion): void {
  const file = artifactFile(artifact);
  saveFile(file, file.name);
}

interface ArtifactVersionsProps {
  versions: readonly ArtifactVersion[];
  shown: ArtifactVersion;
  onShow: (version: ArtifactVersion) => void;
}

/** The versions on this branch, the newest first. */
function ArtifactVersions({ versions, shown, onShow }: ArtifactVersionsProps) {
  const { t } = useTranslation();
  return (
    <ul className={classes.versions}>
      {versions.toReversed().map((one) => (
        <li key={one.version}>
          <PlainButton
            className={classes.version}
            aria-current={one.version === shown.version || undefined}
            onClick={() => onShow(one)}
          >
            <b>{t('com_artifact_version_row', { 0: one.version })}</b>
            <span>
              {t('com_artifact_lines', { count: countLines(one.source) })}
              {!one.isClosed && ` · ${t('com_artifact_writing')}`}
              {one.isEdited && ` · ${t('com_artifact_edited')}`}
            </span>
          </PlainButton>
        </li>
      ))}
    </ul>
  );
}
