import '@mantine/core/styles/Popover.css';
import { Popover } from '@mantine/core';
import type { Settings } from '@parley/schema/catalog/params';
import { useId, useLayoutEffect, useRef, type FocusEvent, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { focusFirst } from '../../ui/menu/focus-on-open.ts';
import { useModels } from '../../endpoints/use-models.ts';
import { ParamFields } from '../../params/param-fields.tsx';
import classes from './params-button.module.css';
import { ResetAll } from '../../params/reset-all.tsx';
import type { ModelTarget } from '../../catalog/model-target.ts';

interface ParamsPopoverProps {
  /** Another chat starts with empty input. */
  chatKey: string;
  modelTarget: ModelTarget;
  isNewChat: boolean;
  isOpen: boolean;
  onClose: () => void;
  /** A click or the focus went elsewhere. */
  onLeave: () => void;
  onChange: (settings: Settings) => void;
}

/** The parameters, positioned under its parent. */
export function ParamsPopover(props: ParamsPopoverProps) {
  const { chatKey, modelTarget, isNewChat, isOpen, onClose, onLeave, onChange } = props;
  const { t } = useTranslation();
  const titleId = useId();
  const { endpoint, endpointType, model, settings } = modelTarget;
  const models = useModels(endpoint);
  const frame = useRef<HTMLDivElement>(null);
  // It stays mounted while closed.
  useLayoutEffect(() => {
    if (isOpen && frame.current) focusFirst(frame.current);
  }, [isOpen]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing || isForList(event)) return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  }

  function onBlur({ currentTarget, relatedTarget }: FocusEvent): void {
    if (isOpen && relatedTarget && !currentTarget.contains(relatedTarget)) onLeave();
  }

  return (
    <Popover
      opened={isOpen}
      onDismiss={onLeave}
      closeOnEscape={false}
      position="bottom-end"
      middlewares={{ shift: { padding: 10 } }}
      width={380}
      withinPortal={false}
      trapFocus
      keepMounted
      withRoles={false}
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <span className={classes.target} />
      </Popover.Target>
      {/* A click between the fields keeps the focus inside. */}
      <Popover.Dropdown
        ref={frame}
        tabIndex={-1}
        className={classes.dropdown}
        role="dialog"
        aria-labelledby={titleId}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
      >
        <div className={classes.bar}>
          <h2 id={titleId} className={classes.title}>
            {t('com_params')}
          </h2>
          <ResetAll settings={settings} onChange={onChange} />
        </div>
        <div className={classes.body}>
          <ParamFields
            key={chatKey}
            type={endpointType}
            model={model}
            models={models}
            settings={settings}
            isNewChat={isNewChat}
            onChange={onChange}
          />
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Mantine marks an element whose open list Escape closes. */
function isForList({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && target.dataset.mantineStopPropagation === 'true';
}
