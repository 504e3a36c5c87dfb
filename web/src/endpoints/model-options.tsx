// The options of the list of models: favourites, recent ones, then the models of each endpoint.
import { Combobox } from '@mantine/core';
import type { Assistant } from '@parley/schema/assistants/assistants';
import type { ModelWindows } from '@parley/schema/catalog/startup';
import { IconHistory, IconStarFilled, IconKey, IconLock, IconCheck, IconPlus } from '@tabler/icons-react';
import type { ReactNode, MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointLabel } from '../catalog/choose-model.ts';
import {
  isSameModel,
  type EndpointGroup,
  type ModelList,
  type ModelRef,
  type TopModel,
  NEW_ASSISTANT,
} from '../catalog/model-groups.ts';
import { trpc } from '../trpc.ts';
import { EndpointIcon } from './endpoint-icons.tsx';
import classes from './endpoint-menu.module.css';
import { ModelOption } from './model-option.tsx';
import { needsKey } from '../keys/key-state.ts';
import { useKeyState } from '../keys/use-key-state.ts';
import { useTakesKey } from '../keys/use-takes-key.ts';
import { Star } from './star.tsx';
import { AssistantAvatar } from './assistants/assistant-avatar.tsx';

interface Current {
  endpoint: string;
  /** Of a chat with an assistant: its id. */
  model: string | null;
}

interface ModelOptionsProps {
  list: ModelList;
  /** Those that stand in the list by their ids. */
  assistants?: readonly Assistant[] | undefined;
  current: Current;
  /** Options of another kind stand above. */
  hasOthers?: boolean;
  onStar: (model: ModelRef) => void;
  onSetKey: (endpoint: string) => void;
  onPickEndpoint: (endpoint: string) => void;
}

export function ModelOptions({ list, hasOthers = false, ...props }: ModelOptionsProps) {
  const { t } = useTranslation();
  const windows = trpc.endpoints.windows.useQuery(undefined, { staleTime: Infinity }).data;
  const { starred, recent, groups } = list;
  const isEmpty = starred.length + recent.length + groups.length === 0;
  return (
    <>
      {starred.length > 0 && (
        <Top
          models={starred}
          label={<TopLabel icon={IconStarFilled} text={t('com_endpoint_favourites')} />}
          areFavourites
          windows={windows}
          {...props}
        />
      )}
      {recent.length > 0 && (
        <Top
          models={recent}
          label={<TopLabel icon={IconHistory} text={t('com_endpoint_recent')} />}
          windows={windows}
          {...props}
        />
      )}
      {groups.map((group) => (
        <Group key={group.endpoint} group={group} windows={windows?.[group.endpoint]} {...props} />
      ))}
      {isEmpty && !hasOthers && <Combobox.Empty>{t('com_endpoint_nothing_found')}</Combobox.Empty>}
    </>
  );
}

/** The option that a value of the Combobox stands for. */
export function findModelOption<Option extends ModelRef>(
  options: readonly Option[],
  value: string,
): Option | undefined {
  return options.find((one) => valueOf(one) === value);
}

interface TopProps extends Pick<ModelOptionsProps, 'assistants' | 'current' | 'onStar'> {
  models: readonly TopModel[];
  label: ReactNode;
  areFavourites?: boolean;
  windows: ModelWindows | undefined;
}

/** Models of several endpoints, above the groups. */
function Top({ models, label, areFavourites = false, windows, assistants, current, onStar }: TopProps) {
  return (
    <Combobox.Group label={label}>
      {models.map(({ type, names, ...option }) => {
        const shared = {
          value: valueOf(option),
          isCurrent: isSameModel(option, current),
          isFavourite: areFavourites,
          onStar,
        };
        return names ? (
          <AssistantOption
            key={valueOf(option)}
            option={option}
            assistant={assistantOf(option, assistants)}
            {...shared}
          />
        ) : (
          <ModelOption
            key={valueOf(option)}
            {...option}
            type={type}
            isElsewhere
            window={windows?.[option.endpoint]?.[option.model]}
            {...shared}
          />
        );
      })}
    </Combobox.Group>
  );
}

function TopLabel({ icon: Icon, text }: { icon: typeof IconHistory; text: string }) {
  return (
    <span className={classes.label}>
      <Icon aria-hidden />
      {text}
    </span>
  );
}

interface GroupProps {
  group: EndpointGroup;
  assistants?: readonly Assistant[] | undefined;
  windows: ModelWindows[string] | undefined;
  current: Current;
  onStar: (model: ModelRef) => void;
  onSetKey: (endpoint: string) => void;
  onPickEndpoint: (endpoint: string) => void;
}

/** The models of an endpoint. A click on the endpoint's name picks its last model; the keyboard reaches every model. */
function Group({ group, assistants, windows, current, onStar, onSetKey, onPickEndpoint }: GroupProps) {
  const { t } = useTranslation();
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
      <span className="ellipsis" data-tooltip={endpointLabel(endpoint)} data-cut>
        {endpointLabel(endpoint)}
      </span>
      {type === 'gptPlugins' && <span className={classes.about}>{t('com_endpoint_plugins_hint')}</span>}
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
          isFavourite: false,
          onStar,
        };
        return names ? (
          <AssistantOption key={model} option={option} assistant={assistantOf(option, assistants)} {...shared} />
        ) : (
          <ModelOption key={model} {...option} type={type} window={windows?.[model]} {...shared} />
        );
      })}
    </Combobox.Group>
  );
}

function assistantOf({ model }: ModelRef, assistants: readonly Assistant[] | undefined): Assistant | undefined {
  return assistants?.find(({ assistantId }) => assistantId === model);
}

function valueOf({ endpoint, model }: ModelRef): string {
  return JSON.stringify([endpoint, model]);
}

/**
 * The key state of an endpoint, next to its name in the list. If the endpoint takes a user's key, a click sets it; the
 * search field has a shortcut for the keyboard.
 */
function EndpointState({ endpoint, onSetKey }: { endpoint: string; onSetKey: (endpoint: string) => void }) {
  const { t } = useTranslation();
  const takesKey = useTakesKey(endpoint);
  const isWaiting = needsKey(useKeyState(endpoint));
  if (!takesKey) return null;

  function press(event: MouseEvent): void {
    event.stopPropagation();
    onSetKey(endpoint);
  }

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <span
      className={classes.state}
      data-tooltip={t('com_endpoint_set_key_for', { 0: endpointLabel(endpoint) })}
      data-testid={`set-key-${endpoint}`}
      onClick={press}
    >
      {isWaiting ? <IconLock aria-hidden /> : <IconKey aria-hidden />}
      {isWaiting && t('com_endpoint_own_key')}
      {isWaiting && <span className={classes.step}>{t('com_endpoint_config_key')}</span>}
    </span>
  );
}

interface AssistantOptionProps {
  value: string;
  option: ModelRef;
  /** Absent on the one that makes a new assistant. */
  assistant: Assistant | undefined;
  isCurrent: boolean;
  isFavourite: boolean;
  onStar: (option: ModelRef) => void;
}

/** An assistant in the list of models, by its name and image, or the way to a new one. */
function AssistantOption({ value, option, assistant, isCurrent, isFavourite, onStar }: AssistantOptionProps) {
  const { t } = useTranslation();
  if (option.model === NEW_ASSISTANT) {
    return (
      <Combobox.Option value={value} className={classes.item}>
        <span className={classes.check} />
        <IconPlus className={classes.plus} aria-hidden />
        <span className={classes.name}>{t('com_assistants_new')}</span>
      </Combobox.Option>
    );
  }
  return (
    <Combobox.Option value={value} active={isCurrent} className={classes.item}>
      <span className={classes.check}>{isCurrent && <IconCheck aria-hidden />}</span>
      <AssistantAvatar assistant={assistant ?? null} size="small" />
      <span className={classes.name} dir="auto">
        {assistant?.name || t('com_assistants_unnamed')}
        {assistant?.sharedBy && ' '}
        {assistant?.sharedBy && <span className={classes.by}>{t('com_assistants_by', { 0: assistant.sharedBy })}</span>}
      </span>
      <Star isFavourite={isFavourite} onPress={() => onStar(option)} />
    </Combobox.Option>
  );
}
