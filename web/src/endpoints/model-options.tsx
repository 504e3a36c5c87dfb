// The options of the list of models: the favourites, then the models of each endpoint.
import { Combobox } from '@mantine/core';
import type { Assistant } from '@parley/schema/assistants/assistants';
import type { ModelWindows } from '@parley/schema/catalog/startup';
import { IconStarFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { endpointLabel } from '../catalog/choose-model.ts';
import { isSameModel, type EndpointGroup, type ModelRef } from '../catalog/model-groups.ts';
import { trpc } from '../trpc.ts';
import { AssistantOption } from './assistants/assistant-option.tsx';
import { EndpointIcon } from './endpoint-icons.tsx';
import classes from './endpoint-menu.module.css';
import { EndpointState } from './endpoint-state.tsx';
import { ModelOption } from './model-option.tsx';

/** Value prefix of the favourites group, whose options also appear in their own groups. */
const STARRED = 'starred';

interface Current {
  endpoint: string;
  /** Of a chat with an assistant: its id. */
  model: string | null;
}

interface ModelOptionsProps {
  /** What the search found. */
  groups: readonly EndpointGroup[];
  /** Those of the favourites that the search found. */
  starred: readonly ModelRef[];
  /** Those that stand in the list by their ids. */
  assistants?: readonly Assistant[] | undefined;
  current: Current;
  /** Options of another kind stand above. */
  hasOthers?: boolean;
  onStar: (model: ModelRef) => void;
  onSetKey: (endpoint: string) => void;
  onPickEndpoint: (endpoint: string) => void;
}

export function ModelOptions({
  groups,
  starred,
  assistants,
  current,
  hasOthers = false,
  onStar,
  ...actions
}: ModelOptionsProps) {
  const { t } = useTranslation();
  const windows = trpc.endpoints.windows.useQuery(undefined, { staleTime: Infinity }).data;
  return (
    <>
      {starred.length > 0 && (
        <Favourites
          starred={starred}
          groups={groups}
          assistants={assistants}
          windows={windows}
          current={current}
          onStar={onStar}
        />
      )}
      {groups.map((group) => (
        <Group
          key={group.endpoint}
          group={group}
          assistants={assistants}
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
export function findModelOption<Option extends ModelRef>(
  options: readonly Option[],
  value: string,
): Option | undefined {
  return options.find((one) => valueOf(one) === value || valueOf(one, STARRED) === value);
}

interface FavouritesProps extends Pick<ModelOptionsProps, 'starred' | 'groups' | 'assistants' | 'current' | 'onStar'> {
  windows: ModelWindows | undefined;
}

function Favourites({ starred, groups, assistants, windows, current, onStar }: FavouritesProps) {
  return (
    <Combobox.Group label={<FavouritesLabel />}>
      {starred.map((option) => {
        const { type = 'custom', names } = groups.find(({ endpoint }) => endpoint === option.endpoint) ?? {};
        const shared = { value: valueOf(option, STARRED), isCurrent: isSameModel(option, current), onStar };
        return names ? (
          <AssistantOption
            key={valueOf(option)}
            option={option}
            assistant={assistantOf(option, assistants)}
            isFavourite
            {...shared}
          />
        ) : (
          <ModelOption
            key={valueOf(option)}
            {...option}
            type={type}
            window={windows?.[option.endpoint]?.[option.model]}
            isFavourite
            {...shared}
          />
        );
      })}
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
  assistants: readonly Assistant[] | undefined;
  windows: ModelWindows[string] | undefined;
  current: Current;
  favourites: readonly ModelRef[];
  onStar: (model: ModelRef) => void;
  onSetKey: (endpoint: string) => void;
  onPickEndpoint: (endpoint: string) => void;
}

/** The models of an endpoint. A click on the endpoint's name picks its last model; the keyboard reaches every model. */
function Group({ group, assistants, windows, current, favourites, onStar, onSetKey, onPickEndpoint }: GroupProps) {
  const { endpoint, type, models, names } = group;
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
      {models.map((model) => {
        const option = { endpoint, model };
        const shared = {
          value: valueOf(option),
          isCurrent: isSameModel(option, current),
          isFavourite: favourites.some((one) => isSameModel(one, option)),
          onStar,
        };
        return names ? (
          <AssistantOption key={model} option={option} assistant={assistantOf(option, assistants)} {...shared} />
        ) : (
          <ModelOption key={model} {...option} window={windows?.[model]} {...shared} />
        );
      })}
    </Combobox.Group>
  );
}

function assistantOf({ model }: ModelRef, assistants: readonly Assistant[] | undefined): Assistant | undefined {
  return assistants?.find(({ assistantId }) => assistantId === model);
}

function valueOf({ endpoint, model }: ModelRef, group = ''): string {
  return JSON.stringify([group, endpoint, model]);
}
