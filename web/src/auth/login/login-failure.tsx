import type { Reason } from '@parley/schema/reasons';
import { useTranslation } from 'react-i18next';
import { describeReason } from '../../errors/describe-reason.ts';
import { errorReason } from '../../errors/error-reason.ts';
import { ResendConfirmation } from '../confirm-email-screen.tsx';
import { describeSignInFailure } from '../describe-auth-failure.ts';
import { FailureAlert } from '../failure-alert.tsx';

interface LoginFailureProps {
  failure: unknown;
  /** Why the session before has ended. */
  ended: Reason | null;
  /** That was typed. */
  email: string;
  /** People sign in by user name. */
  hasUsernames: boolean;
}

/** Why one is not signed in, and what can be done about it. */
export function LoginFailure({ failure, ended, email, hasUsernames }: LoginFailureProps) {
  const { t } = useTranslation();
  if (!failure) return <FailureAlert sentence={ended && describeReason(ended, t)} />;
  return (
    <>
      <FailureAlert sentence={describeSignInFailure(failure, t, hasUsernames)} />
      {errorReason(failure)?.type === 'email_unconfirmed' && <ResendConfirmation email={email} />}
    </>
  );
}
