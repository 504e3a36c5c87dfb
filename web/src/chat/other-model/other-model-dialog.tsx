import '@mantine/core/styles/Combobox.css';
import { Combobox, useCombobox } from '@mantine/core';
import { endpointTable } from '@parley/schema/catalog/endpoints';
import type { Message } from '@parley/schema/messages/messages';
import { useId, useMemo, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointTypeOf, type Catalog } from '../../catalog/choose-model.ts';
import type { OtherModel } from '../../catalog/model-target.ts';
import type { ModelRef } from '../../catalog/model-groups.ts';
import { DialogFrame } from '../../dialogs/dialog-frame.tsx';
import { useShowDialog } from '../../dialogs/open-dialog.ts';
import { ModelOptions, findModelOption } from '../../endpoints/model-options.tsx';
import { useCatalog } from '../../endpoints/use-catalog.ts';
import { useSelectBestMatch } from '../../endpoints/use-select-best-match.ts';
import { useModelSearch } from '../../endpoints/use-model-search.ts';
import { PickerField } from '../../ui/menu/picker-field.tsx';
import classes from './other-model-dialog.module.css';

interface OtherModelDialogProps {
  /** Of whose model it is about: that of the reply which another one gives again. */
  message: Pick<Message, 'endpoint' | 'model'>;
  title?: string;
  onPick: (model: OtherModel) => void;
  onClose: () => void;
}

/** The models that can answer a question again, with a search. */
export function OtherModelDialog({ message, title, onPick, onClose }: OtherModelDialogProps) {
  const { t } = useTranslation();
  const catalog = useAnswering(useCatalog());
  const { query, setQuery, list, favourites, turnFavourite, ...search } = useModelSearch(catalog);
  const listId = useId();
  const showDialog = useShowDialog();
  // It takes Escape from the dialog around it.
  const combobox = useCombobox({ opened: true, onDropdownClose: onClose });
  const markedFor = useSelectBestMatch(combobox, search.searchedFor, favourites);

  function pick(option: ModelRef | undefined): void {
    if (!option || !catalog) return;
    const config = catalog.endpoints[option.endpoint];
    const { modelDisplayLabel } = config ?? {};
    onPick({ ...option, endpointType: endpointTypeOf(option.endpoint, config), modelDisplayLabel });
  }

  /** The Combobox picks the marked option, unless the mark lags behind the typing. */
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || markedFor.current === query) return;
    event.preventDefault();
    event.stopPropagation();
    pick(search.best());
  }

  return (
    // As wide as the list of models in the header.
    <DialogFrame title={title ?? t('com_chat_try_other_model')} size={480} onClose={onClose}>
      <Combobox store={combobox} onOptionSubmit={(value) => pick(findModelOption(list.options, value))}>
        <Combobox.EventsTarget>
          <PickerField
            listId={listId}
            isSeen
            data-autofocus
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
            onKeyDownCapture={onKeyDown}
            placeholder={t('com_endpoint_search')}
            label={t('com_endpoint_search')}
          />
        </Combobox.EventsTarget>
        <Combobox.Options id={listId} className={classes.list} aria-label={t('com_endpoint_menu')}>
          <ModelOptions
            list={list}
            current={message}
            onStar={turnFavourite}
            onSetKey={(endpoint) => {
              onClose();
              showDialog({ name: 'key', endpoint });
            }}
            onPickEndpoint={(endpoint) => pick(list.options.find((one) => one.endpoint === endpoint))}
          />
        </Combobox.Options>
      </Combobox>
    </DialogFrame>
  );
}

/** Without endpoints that cannot answer the same question twice. */
function useAnswering(catalog: Catalog | undefined): Catalog | undefined {
  return useMemo(() => {
    if (!catalog) return undefined;
    const can = Object.entries(catalog.endpoints).filter(
      ([name, config]) => endpointTable[endpointTypeOf(name, config)].can.regenerate,
    );
    return { ...catalog, endpoints: Object.fromEntries(can) };
  }, [catalog]);
}
