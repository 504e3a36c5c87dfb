import '@mantine/core/styles/Popover.css';
import { Popover } from '@mantine/core';
import type { Settings } from '@parley/schema/params';
import { useId, useLayoutEffect, useRef, type FocusEvent, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Addressee } from '../endpoints/use-addressee.ts';
import { focusFirst } from '../lib/focus-at-once.ts';
import { ParamFields } from './param-fields.tsx';
import classes from './params-button.module.css';
import { ResetAll } from './reset-all.tsx';

interface ParamsPopoverProps {
  /** Another chat begins with nothing written. */
  chatKey: string;
  addressee: Addressee;
  isNewChat: boolean;
  isOpen: boolean;
  onClose: () => void;
  /** Something else was pressed, or has the focus. */
  onLeave: () => void;
  onChange: (settings: Settings) => void;
}

/** The parameters, under whatever it is placed in. */
export function ParamsPopover(props: ParamsPopoverProps) {
  const { chatKey, addressee, isNewChat, isOpen, onClose, onLeave, onChange } = props;
  const { t } = useTranslation();
  const titleId = useId();
  const { endpointType, model, settings } = addressee;
  const frame = useRef<HTMLDivElement>(null);
  // It stays mounted while it is closed.
  useLayoutEffect(() => {
    if (isOpen && frame.current) focusFirst(frame.current);
  }, [isOpen]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
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
      position="bottom-start"
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
      {/* A click beside the fields leaves the focus in here. */}
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
            settings={settings}
            isNewChat={isNewChat}
            onChange={onChange}
          />
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
