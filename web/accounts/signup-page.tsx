import { useState } from 'react';
import { endPinStage, type PinStage, readPinStage } from '#web/accounts/pin-stage.ts';
import { PinStep } from '#web/accounts/pin-step.tsx';
import { SignupForm } from '#web/accounts/signup-form.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';

/** Sign-up: the form, then the PIN step, which survives a reload (specification, sections 2 and 4). */
export function SignupPage() {
  const [stage, setStage] = useState<PinStage | undefined>(() => readPinStage(Date.now()));
  const giveUp = () => {
    endPinStage();
    setStage(undefined);
  };
  return (
    <>
      <PageTitle title="Sign Up" />
      {stage === undefined ? (
        <SignupForm onSent={setStage} />
      ) : (
        <PinStep stage={stage} onSent={setStage} onGiveUp={giveUp} />
      )}
    </>
  );
}
