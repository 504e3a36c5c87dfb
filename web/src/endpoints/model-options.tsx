// The options of the list of models: the favourites, then the models of each endpoint.
import { Combobox } from '@mantine/core';
import type { ModelWindows } from '@parley/schema/catalog/startup';
import { IconStarFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { endpointLabel, type Choice } from '../catalog/choose-model.ts';
import { isSameModel, type EndpointGroup, type ModelRef } from '../catalog/model-groups.ts';
import { EndpointIcon } from './endpoint-icons.tsx';
import classes from './endpoint-menu.module.css';
import { EndpointState } from './endpoint-state.tsx';
import { ModelOption } from './model-option.tsx';

/** Value prefix of the favourites group, whose options also appear in their own groups. */
const STARRED = 'starred';

interface ModelOptionsProps {
  /** What the search found. */
  groups: readonly EndpointGroup[];
  /** Those of the favourites that the search found. */
  starred: readonly ModelRef[];
  windows: ModelWindows | undefined;
  current: Choice;
  /** Options of another kind stand above. */
  hasOthers?: boolean;
  onStar: (model: ModelRef) => void;
  onSetKey: (endpoint: string) => void;
  onPickEndpoint: (endpoint: string) => void;
}

export function ModelOptions({
  groups,
  starred,
  windows,
  current,
  hasOthers = false,
  onStar,
  ...actions
}: ModelOptionsProps) {
  const { t } = useTranslation();
  return (
    <>
      {starred.length > 0 && (
        <Favourites starred={starred} groups={groups} windows={windows} current={current} onStar={onStar} />
      )}
      {groups.map((group) => (
        <Group
          key={group.endpoint}
          group={group}
          windows={windows?.[group.endpoint]}
          current={current}
          favourites={starred}
          onStar={onStar}
          {...actions}
        />
      ))}
      {groups.length === 0 && !hasOthers && <Combobox.Empty>{t('com_endpoint_nothing_found')}</Combobox.Empty>}
    </>
  );
}

/** The option that a value of the Combobox stands for. */
export function optionOf<Option extends ModelRef>(options: readonly Option[], value: string): Option | undefined {
  return options.find((one) => valueOf(one) === value || valueOf(one, STARRED) === value);
}

interface FavouritesProps {
  starred: readonly ModelRef[];
  groups: readonly EndpointGroup[];
  windows: ModelWindows | undefined;
  current: Choice;
  onStar: (model: ModelRef) => void;
}

function Favourites({ starred, groups, windows, current, onStar }: FavouritesProps) {
  return (
    <Combobox.Group label={<FavouritesLabel />}>
      {starred.map((option) => (
        <ModelOption
          key={valueOf(option)}
          {...option}
          value={valueOf(option, STARRED)}
          type={groups.find(({ endpoint }) => endpoint === option.endpoint)?.type ?? 'custom'}
          window={windows?.[option.endpoint]?.[option.model]}
          isCurrent={isSameModel(option, current)}
          isFavourite
          onStar={onStar}
        />
      ))}
    </Combobox.Group>
  );
}

function FavouritesLabel() {
  const { t } = useTranslation();
  return (
    <span className={classes.label}>
      <IconStarFilled size={14} aria-hidden />
      {t('com_endpoint_favourites')}
    </span>
  );
}

interface GroupProps {
  group: EndpointGroup;
  windows: ModelWindows[string] | undefined;
  current: Choice;
  favourites: readonly ModelRef[];
  onStar: (model: ModelRef) => void;
  onSetKey: (endpoint: string) => void;
  onPickEndpoint: (endpoint: string) => void;
}

/** The models of an endpoint. A click on the endpoint's name picks its last model; the keyboard reaches every model. */
function Group({ group, windows, current, favourites, onStar, onSetKey, onPickEndpoint }: GroupProps) {
  const { endpoint, type, models } = group;
  const label = (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <span
      className={classes.label}
      data-testid={`endpoint-item-${endpoint}`}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onPickEndpoint(endpoint)}
    >
      <EndpointIcon endpointType={type} endpoint={endpoint} model={null} size="small" />
      <span className={classes.endpoint} data-tooltip={endpointLabel(endpoint)} data-cut>
        {endpointLabel(endpoint)}
      </span>
      <EndpointState endpoint={endpoint} onSetKey={onSetKey} />
    </span>
  );
  return (
    <Combobox.Group label={label}>
      {models.map((model) => (
        <ModelOption
          key={model}
          endpoint={endpoint}
          model={model}
          value={valueOf({ endpoint, model })}
          window={windows?.[model]}
          isCurrent={isSameModel({ endpoint, model }, current)}
          isFavourite={favourites.some((one) => isSameModel(one, { endpoint, model }))}
          onStar={onStar}
        />
      ))}
    </Combobox.Group>
  );
}

function valueOf({ endpoint, model }: ModelRef, group = ''): string {
  return JSON.stringify([group, endpoint, model]);
}
