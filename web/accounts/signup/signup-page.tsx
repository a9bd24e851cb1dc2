import { useState } from 'react';
import { PageTitle } from '#web/ui/text/page-title.tsx';
import { endPinStage, type PinStage, readPinStage } from './pin-stage.ts';
import { PinStep } from './pin-step.tsx';
import { SignupForm } from './signup-form.tsx';

/** Sign-up: the form, then the PIN step, which survives a reload (docs/specification-coverage.md, 2 and 4). */
export function SignupPage() {
  const [stage, setStage] = useState<PinStage | undefined>(() => readPinStage());
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
