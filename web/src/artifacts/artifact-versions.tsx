import type { ArtifactVersion } from '@parley/schema/artifacts/versions';
import { useTranslation } from 'react-i18next';
import { countLines } from '../content/code/count-lines.ts';
import { PlainButton } from '../ui/primitives/plain-button.tsx';
import classes from './artifact-view.module.css';

interface ArtifactVersionsProps {
  versions: readonly ArtifactVersion[];
  shown: ArtifactVersion;
  onShow: (version: ArtifactVersion) => void;
}

/** The versions on this branch, the newest first. */
export function ArtifactVersions({ versions, shown, onShow }: ArtifactVersionsProps) {
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
