import './lazy-words.ts';
import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/Popover.css';
import { Combobox, useCombobox } from '@mantine/core';
import type { ModelWindows } from '@parley/schema/startup';
import { IconSearch, IconStarFilled } from '@tabler/icons-react';
import { useAtom, useAtomValue } from 'jotai';
import {
  useDeferredValue,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
} from 'react';
import { useTranslation } from 'react-i18next';
import { chooseEndpoint, endpointLabel, type Choice } from './choose.ts';
import classes from './endpoint-menu.module.css';
import { EndpointState } from './endpoint-state.tsx';
import { favouritesAtom } from './favourites.ts';
import {
  countModels,
  favouritesIn,
  groupsOf,
  isSameModel,
  optionsOf,
  searchGroups,
  type EndpointGroup,
  type ModelRef,
} from './groups.ts';
import { EndpointMark } from './marks.tsx';
import { choiceMemoryAtom } from './memory.ts';
import { ModelOption } from './model-option.tsx';
import { OffEndpoints } from './off-endpoints.tsx';
import { useOffer } from './use-addressee.ts';
import { takesKey } from '../keys/key-state.ts';
import { useShowDialog } from '../shell/dialogs/dialogs.ts';
import { trpc } from '../trpc.ts';

/** More options than this are searched, not scrolled through. */
const SEARCH_ABOVE = 10;
/** What stands before the options of the group on top, which are also in their own. */
const STARRED = 'starred';

interface EndpointMenuProps {
  current: Choice;
  onPick: (choice: Choice) => void;
  onClose: () => void;
  /** The focus went elsewhere. */
  onLeave: () => void;
}

/** The open list of endpoints with their models, under whatever it is placed in. */
export function EndpointMenu({ current, onPick, onClose, onLeave }: EndpointMenuProps) {
  const { t } = useTranslation();
  const offer = useOffer();
  const windows = trpc.endpoints.windows.useQuery(undefined, { staleTime: Infinity }).data;
  const memory = useAtomValue(choiceMemoryAtom);
  const [favourites, turnFavourite] = useAtom(favouritesAtom);
  const [query, setQuery] = useState('');
  const wanted = useDeferredValue(query);
  const listId = useId();
  const showDialog = useShowDialog();
  const combobox = useCombobox({ opened: true, onDropdownClose: onClose });
  const groups = useMemo(() => (offer ? groupsOf(offer) : []), [offer]);
  const found = useMemo(() => searchGroups(groups, wanted), [groups, wanted]);
  const starred = favouritesIn(found, favourites);
  const hasKeys = groups.some(({ endpoint }) => takesKey(offer?.endpoints[endpoint]));
  const isSearchable = countModels(groups) > SEARCH_ABOVE;
  const options = optionsOf(found, favourites);
  /** What was searched for when an option was last marked as the one that Enter takes. */
  const markedFor = useRef('');

  /** What Enter would take is always in sight: the current model at first, then the best match. */
  function markBest(): void {
    if (wanted === '') combobox.selectActiveOption();
    else combobox.selectFirstOption();
    markedFor.current = wanted;
  }

  // With the list itself: the next key may be an arrow.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useLayoutEffect(markBest, [wanted]);
  // The list is known only once it has been drawn.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(markBest, []);

  // The list grows and shrinks at its top: the same option is another one by number.
  useEffect(() => {
    combobox.updateSelectedOptionIndex('selected');
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [favourites]);

  /** With Enter alone an option is taken; with Shift it is a favourite or none, with Alt its endpoint's key is set. */
  function onKeyDown(event: KeyboardEvent): void {
    const isPlain = !event.shiftKey && !event.altKey;
    // The list takes the option that is marked in it, unless it is behind the hands.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || (isPlain && markedFor.current === query)) return;
    event.preventDefault();
    event.stopPropagation();
    if (isPlain) return takeBest();
    const option = options[combobox.getSelectedOptionIndex()];
    if (option && event.shiftKey) turnFavourite(option);
    else if (option && takesKey(offer?.endpoints[option.endpoint])) setKey(option.endpoint);
  }

  /** Takes what will stand first in the list. */
  function takeBest(): void {
    const [best] = optionsOf(searchGroups(groups, query), favourites);
    if (best) onPick(best);
  }

  function setKey(endpoint: string): void {
    onClose();
    showDialog({ name: 'key', endpoint });
  }

  return (
    <Combobox
      store={combobox}
      position="bottom-start"
      width={400}
      dropdownPadding={0}
      withinPortal={false}
      onOptionSubmit={(value) => {
        const choice = options.find((one) => valueOf(one) === value || valueOf(one, STARRED) === value);
        if (choice) onPick(choice);
      }}
    >
      <Combobox.DropdownTarget>
        <span className={classes.target} />
      </Combobox.DropdownTarget>
      <Combobox.Dropdown className={classes.dropdown}>
        <Combobox.Search
          className={isSearchable ? classes.search : classes.keysOnly}
          role="combobox"
          aria-expanded
          aria-controls={listId}
          autoFocus
          readOnly={!isSearchable}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          // Before the list hears of the key.
          onKeyDownCapture={onKeyDown}
          onBlur={onLeave}
          placeholder={t('com_endpoint_search')}
          aria-label={isSearchable ? t('com_endpoint_search') : t('com_endpoint_menu')}
          leftSection={<IconSearch size={16} stroke={1.6} aria-hidden />}
        />
        <Combobox.Options id={listId} className={classes.list} aria-label={t('com_endpoint_menu')}>
          {starred.length > 0 && (
            <Combobox.Group label={<FavouritesLabel />}>
              {starred.map((option) => (
                <ModelOption
                  key={valueOf(option)}
                  {...option}
                  value={valueOf(option, STARRED)}
                  type={found.find(({ endpoint }) => endpoint === option.endpoint)?.type ?? 'custom'}
                  window={windows?.[option.endpoint]?.[option.model]}
                  isCurrent={isSameModel(option, current)}
                  isFavourite
                  onStar={turnFavourite}
                />
              ))}
            </Combobox.Group>
          )}
          {found.map((group) => (
            <Group
              key={group.endpoint}
              group={group}
              windows={windows?.[group.endpoint]}
              current={current}
              favourites={starred}
              onStar={turnFavourite}
              onSetKey={setKey}
              onPickEndpoint={() => offer && onPick(chooseEndpoint(group.endpoint, offer, memory))}
            />
          ))}
          {found.length === 0 && <Combobox.Empty>{t('com_endpoint_nothing_found')}</Combobox.Empty>}
        </Combobox.Options>
        <OffEndpoints />
        <p className={classes.hint}>
          {t('com_endpoint_favourite_hint')}
          {hasKeys && <span>{t('com_endpoint_key_hint')}</span>}
        </p>
      </Combobox.Dropdown>
    </Combobox>
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
  onPickEndpoint: () => void;
}

/** The models of an endpoint. A click on its name takes the one used last; by key each is in reach itself. */
function Group({ group, windows, current, favourites, onStar, onSetKey, onPickEndpoint }: GroupProps) {
  const { endpoint, type, models } = group;
  const label = (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <span
      className={classes.label}
      data-testid={`endpoint-item-${endpoint}`}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPickEndpoint}
    >
      <EndpointMark endpointType={type} endpoint={endpoint} model={null} size="small" />
      <span className={classes.endpoint}>{endpointLabel(endpoint)}</span>
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
