import { IconColumns, IconPlus } from '@tabler/icons-react';
import { carrySettings } from '@parley/schema/settings/carry-settings';
import { COLUMNS_MAX } from '@parley/schema/chat/columns';
import { useAtom, useAtomValue } from 'jotai';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelTarget, OtherModel } from '../catalog/model-target.ts';
import { NONE, plannedAtom } from '../chat/columns/planned.ts';
import { ComposerChip } from '../chat/composer/chips/composer-chip.tsx';
import chips from '../chat/composer/chips/composer-chips.module.css';
import { OtherModelDialog } from '../chat/other-model/other-model-dialog.tsx';
import type { Chat } from '../chat/use-chat.ts';
import { useCatalog } from '../endpoints/use-catalog.ts';
import { comparePickAtom } from '../slots/compare-pick.ts';
import { focusComposer } from '../slots/focus-composer.ts';
import { draftKeyOf, useSlotIndex } from '../slots/slot.ts';
import { useSetModel } from '../slots/use-set-model.ts';
import { Button } from '../ui/button.tsx';
import { columnName } from './column-name.ts';
import { columnPaths, haveOneQuestion } from './column-paths.ts';
import { hiddenNamesAtom } from './hidden-names.ts';
import { useAskAll } from './use-ask-all.ts';
import classes from './columns.module.css';
import { useColumns } from './use-columns.ts';

interface Asked {
  key: string;
  name: string;
  remove: () => void;
}

/** Whom the question goes to: a chip each, and one that adds another. */
export function ColumnChips({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const index = useSlotIndex();
  useAskAll(chat);
  const [isPicking, setPicking] = useAtom(comparePickAtom);
  const { asked, add } = useAsked(chat);
  const areHidden = useAtomValue(hiddenNamesAtom).has(chat.slot.conversationId);

  function close(): void {
    setPicking(false);
    focusComposer(index);
  }

  const picker = isPicking && add && chat.modelTarget && (
    <OtherModelDialog
      title={t('com_compare_pick')}
      message={chat.modelTarget}
      onClose={close}
      onPick={(model) => {
        close();
        add(model);
      }}
    />
  );
  if (asked.length < 2 || areHidden) return picker;
  return (
    <>
      <ul className={`${chips.chips} ${classes.models}`} aria-label={t('com_compare_asked')}>
        {asked.map(({ key, name, remove }) => (
          <ComposerChip
            key={key}
            icon={IconColumns}
            label={name}
            removal={t('com_compare_remove', { 0: name })}
            onRemove={remove}
          />
        ))}
        {add && asked.length < COLUMNS_MAX && (
          <li>
            <Button size="sm" variant="subtle" onClick={() => setPicking(true)}>
              <IconPlus aria-hidden />
              {t('com_compare_add')}
            </Button>
          </li>
        )}
      </ul>
      {picker}
    </>
  );
}

/** What stands side by side, else what was picked for the question being written. */
function useAsked(chat: Chat): { asked: Asked[]; add: ((model: OtherModel) => void) | null } {
  const [all, setPlanned] = useAtom(plannedAtom);
  const setModel = useSetModel();
  const columns = useColumns(chat);
  const specs = useCatalog()?.specs;
  const [areFrom] = useState(() => new WeakMap<ModelTarget, string>());
  const { modelTarget, convo } = chat;
  const draft = draftKeyOf(chat.slot);
  const planned = all[draft] ?? NONE;
  if (convo?.columns) {
    const paths = columnPaths(convo.columns, chat.tree);
    const asked = paths.columns.map(({ place, column }) => ({
      key: column.replyId,
      name: columnName(column, specs),
      remove: () => void columns.remove(place),
    }));
    const canAdd = chat.generationId === null && haveOneQuestion(paths);
    return { asked, add: canAdd ? (model) => columns.add(paths, model) : null };
  }
  if (!modelTarget) return { asked: [], add: null };
  const keyOf = (target: ModelTarget, place: number) => {
    const key = areFrom.get(target) ?? `${place} ${target.endpoint} ${target.model}`;
    areFrom.set(target, key);
    return key;
  };
  const asked = [modelTarget, ...planned].map((target, place) => ({
    key: keyOf(target, place),
    name: columnName(target, specs),
    remove() {
      const [next] = planned;
      // The chat's own model goes: the next one takes its place.
      if (place === 0 && next) setModel(next);
      setPlanned(draft, place === 0 ? planned.slice(1) : planned.filter((_, at) => at !== place - 1));
    },
  }));
  return {
    asked,
    add: (model) =>
      setPlanned(draft, [
        ...planned,
        { ...model, settings: carrySettings(model.endpointType, model.model, modelTarget.settings) },
      ]),
  };
}
