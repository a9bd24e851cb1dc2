import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { WaitingButton } from '#web/ui/forms/waiting-button.tsx';
import { useWithdraw } from './progress.api.ts';

interface WithdrawProps {
  readonly tag: string;
  /** The button is gone then. */
  readonly onWithdrawn: () => void;
}

/** The quiet way back, with a question before it. */
export function Withdraw({ tag, onWithdrawn }: WithdrawProps) {
  const [asked, setAsked] = useState(false);
  const withdraw = useWithdraw(tag, onWithdrawn);
  function close(): void {
    // Whoever left now would not hear how it ended.
    if (withdraw.isPending) return;
    withdraw.reset();
    setAsked(false);
  }
  return (
    <>
      <Button variant="default" size="sm" onClick={() => setAsked(true)}>
        Withdraw application
      </Button>
      {/* Its key is new each time: one question is one withdrawal, however often a lost line makes it be sent. */}
      <Modal
        opened={asked}
        onClose={close}
        title="Withdraw this application?"
        centered={false}
        withCloseButton={!withdraw.isPending}
      >
        <Question withdraw={withdraw} onNo={close} />
      </Modal>
    </>
  );
}

interface QuestionProps {
  readonly withdraw: ReturnType<typeof useWithdraw>;
  readonly onNo: () => void;
}

function Question({ withdraw, onNo }: QuestionProps) {
  const [idempotencyKey] = useState(uniqueKey);
  return (
    <Stack>
      <Text>We stop deciding this application. After a short pause you can apply again for the same invoice.</Text>
      {withdraw.isError && (
        <Alert color="red" role="alert" title="Not withdrawn">
          {withdraw.error.message}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onNo} disabled={withdraw.isPending} data-autofocus>
          Keep it
        </Button>
        <WaitingButton color="red" busy={withdraw.isPending} onClick={() => withdraw.mutate(idempotencyKey)}>
          Withdraw
        </WaitingButton>
      </Group>
    </Stack>
  );
}
