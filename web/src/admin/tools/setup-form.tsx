import type { ToolTried } from '@parley/schema/tools/tool-settings';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '../../ui/busy-button.tsx';
import { Button } from '../../ui/button.tsx';
import { Modal } from '../../ui/modal.tsx';
import { describeProviderError } from '../providers/describe-provider.ts';
import resultClasses from '../providers/form/provider-form.module.css';
import { Failed } from '../providers/form/try-result.tsx';
import { describeToolFailure } from './describe-tool.ts';
import classes from './tools.module.css';
import type { useSetup } from './use-setup.ts';
import { ButtonRow } from '../../ui/primitives/button-row.tsx';

interface SetupFormProps {
  title: string;
  /** Of what is tried. */
  name: string;
  setup: ReturnType<typeof useSetup>;
  /** Its values can be saved here. */
  canSave: boolean;
  canTry: boolean;
  /** Whether one of its fields is an address. */
  hasAddress: boolean;
  /** Null where nothing is saved. */
  onRemove: (() => void) | null;
  onClose: () => void;
  children: ReactNode;
}

/** The dialog of a tool: its fields, what a try said, and what can be done. */
export function SetupForm({
  title,
  name,
  setup,
  canSave,
  canTry,
  hasAddress,
  onRemove,
  onClose,
  children,
}: SetupFormProps) {
  const { t } = useTranslation();
  const { running } = setup;
  return (
    <Modal title={title} onClose={onClose}>
      <form
        noValidate
        className={classes.form}
        onChange={setup.forget}
        onSubmit={(event) => {
          event.preventDefault();
          const fields = event.currentTarget;
          if (canSave) setup.saveIt();
          else setup.tryIt();
          // Once React has marked what is wrong.
          requestAnimationFrame(() => fields.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
        }}
      >
        {children}
        <Result name={name} setup={setup} hasAddress={hasAddress} />
        <ButtonRow>
          {canSave && (
            <BusyButton type="submit" variant="filled" isBusy={running === 'save'}>
              {t('com_ui_save')}
            </BusyButton>
          )}
          {canTry && (
            <BusyButton type="button" isBusy={running === 'try'} onClick={setup.tryIt}>
              {t('com_admin_providers_try')}
            </BusyButton>
          )}
          {onRemove && (
            <Button variant="subtle" className={classes.remove} onClick={onRemove}>
              {t('com_admin_providers_remove')}
            </Button>
          )}
        </ButtonRow>
      </form>
    </Modal>
  );
}

type ResultProps = Pick<SetupFormProps, 'name' | 'setup' | 'hasAddress'>;

function Result({ name, setup: { running, tried, failure }, hasAddress }: ResultProps) {
  const { t } = useTranslation();
  return (
    <div className={resultClasses.result} role="status">
      {running === 'try' && <p className={resultClasses.note}>{t('com_admin_providers_trying', { 0: name })}</p>}
      {failure !== null && failure !== undefined && <Failed sentence={describeProviderError(failure, t)} />}
      {tried?.ok && <Worked name={name} tools={tried.tools} />}
      {tried?.ok === false && <Failed sentence={describeToolFailure(tried, name, t, hasAddress)} words={tried.words} />}
    </div>
  );
}

function Worked({ name, tools }: { name: string } & Pick<Extract<ToolTried, { ok: true }>, 'tools'>) {
  const { t } = useTranslation();
  return (
    <div className={resultClasses.worked}>
      <IconCheck aria-hidden />
      <div className={resultClasses.said}>
        <p>{t('com_admin_tools_works', { 0: name })}</p>
        {tools.length > 0 && (
          <p className={resultClasses.words}>{t('com_admin_tools_found', { 0: tools.join(', ') })}</p>
        )}
      </div>
    </div>
  );
}
