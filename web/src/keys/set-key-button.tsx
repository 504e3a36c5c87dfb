import { IconKey } from '@tabler/icons-react';
import { useId, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { useShowDialog, type Dialog } from '../dialogs/open-dialog.ts';
import { Button, type ButtonProps } from '../ui/button.tsx';

interface SetKeyButtonProps {
  endpoint: string;
  /** The id of the endpoint's name, where several such buttons stand together. */
  nameId?: string;
  /** There is a key, which another one would replace. */
  isSaved?: boolean;
  variant?: ButtonProps['variant'];
  /** The dialog that the key dialog returns to. */
  back?: Dialog;
  'data-autofocus'?: boolean | undefined;
  ref?: Ref<HTMLButtonElement>;
}

/** Opens the key dialog of an endpoint. */
export function SetKeyButton({ endpoint, nameId, isSaved = false, back, ...rest }: SetKeyButtonProps) {
  const { t } = useTranslation();
  const id = useId();
  const showDialog = useShowDialog();
  return (
    <Button
      {...rest}
      id={id}
      size="sm"
      aria-haspopup="dialog"
      aria-labelledby={nameId && `${id} ${nameId}`}
      onClick={() => showDialog({ name: 'key', endpoint, back })}
    >
      <IconKey aria-hidden />
      {t(isSaved ? 'com_endpoint_config_key_change' : 'com_endpoint_config_key')}
    </Button>
  );
}
