import { Button } from '@mantine/core';
import { useState } from 'react';
import { QuestionDialog } from '#web/ui/forms/question.tsx';
import { useWithdraw } from './progress.api.ts';

interface WithdrawProps {
  readonly tag: string;
  /** Called after the withdrawal, when the button no longer exists. */
  readonly onWithdrawn: () => void;
}

/** An unobtrusive button to withdraw the application, with a confirmation. */
export function Withdraw({ tag, onWithdrawn }: WithdrawProps) {
  const [asked, setAsked] = useState(false);
  const withdraw = useWithdraw(tag, onWithdrawn);
  function close(): void {
    withdraw.reset();
    setAsked(false);
  }
  return (
    <>
      <Button variant="default" size="sm" w="fit-content" onClick={() => setAsked(true)}>
        Withdraw application
      </Button>
      <QuestionDialog
        title="Withdraw this application?"
        yes="Withdraw"
        failed="Not withdrawn"
        opened={asked}
        mutation={withdraw}
        onYes={withdraw.mutate}
        onClose={close}
      >
        We stop deciding this application. After a short pause you can apply again for the same invoice.
      </QuestionDialog>
    </>
  );
}
