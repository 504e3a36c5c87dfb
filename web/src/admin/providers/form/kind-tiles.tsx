import type { ProviderKind } from '@parley/schema/catalog/provider-kinds';
import { useTranslation } from 'react-i18next';
import { EndpointIcon } from '../../../endpoints/endpoint-icons.tsx';
import { OTHER } from './form-values.ts';
import classes from './kind-tiles.module.css';

interface KindTilesProps {
  kinds: readonly ProviderKind[];
  chosen: ProviderKind;
  onChoose: (kind: ProviderKind) => void;
}

/** The providers that can be added. */
export function KindTiles({ kinds, chosen, onChoose }: KindTilesProps) {
  const { t } = useTranslation();
  return (
    <fieldset className={classes.tiles}>
      <legend className={classes.legend}>{t('com_admin_providers_provider')}</legend>
      {kinds.map((kind) => (
        <label key={kind.label} className={classes.tile}>
          <input
            type="radio"
            name="kind"
            className={classes.input}
            checked={kind === chosen}
            onChange={() => onChoose(kind)}
          />
          <EndpointIcon endpointType={kind.type} endpoint={kind.label} model={null} size="small" />
          <span className={classes.name}>{kind === OTHER ? t('com_admin_providers_compatible') : kind.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
