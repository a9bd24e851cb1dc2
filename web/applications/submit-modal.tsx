import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { formatAmount } from '#contract/money.ts';
import { notices, notify } from '#web/notices.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { Fact, Facts } from '#web/ui/figure.tsx';
import type { Figures } from './application-figures.ts';
import { YouReceive } from './application-form.tsx';
import { applicationLabels, figureLabels } from './application-values.ts';
import { submitApplication } from './applications.api.ts';

interface SubmitModalProps {
  readonly opened: boolean;
  readonly invoiceTag: string;
  readonly invoiceNumber: string;
  readonly figures: Figures;
  readonly currency: string | undefined;
  readonly period: string | undefined;
  readonly onClose: () => void;
  readonly onSubmitted: () => void;
  /** It did not come about, as the dialog says; what is missing may have to be looked at again. */
  readonly onRefused: () => void;
}

/** Asks before an application is submitted, with the figures that are agreed to (specification, section 4). */
export function SubmitModal(props: SubmitModalProps) {
  const { opened, invoiceTag, onClose, onSubmitted, onRefused } = props;
  const submit = useMutation({
    mutationFn: (idempotencyKey: string) => submitApplication(invoiceTag, idempotencyKey),
    onSuccess: () => {
      notify(notices.applicationSubmitted);
      onSubmitted();
    },
    onError: onRefused,
  });
  function close(): void {
    if (submit.isPending) return;
    submit.reset();
    onClose();
  }
  return (
    <Modal
      opened={opened}
      onClose={close}
      title="Submit this application?"
      // High up, where a phone's toasts do not cover its buttons.
      centered={false}
      withCloseButton={!submit.isPending}
    >
      <Stack>
        <WhatIsAgreedTo {...props} />
        {submit.isError && (
          <Alert color="red" role="alert" title="Not submitted">
            {submit.error.message}
          </Alert>
        )}
        <Answers submitting={submit.isPending} onNo={close} onYes={submit.mutate} />
      </Stack>
    </Modal>
  );
}

type Terms = Pick<SubmitModalProps, 'invoiceNumber' | 'figures' | 'currency' | 'period'>;

function WhatIsAgreedTo({ invoiceNumber, figures, currency, period }: Terms) {
  return (
    <>
      <YouReceive figures={figures} currency={currency} />
      <Facts>
        <Fact label="Invoice number" text>
          {invoiceNumber}
        </Fact>
        <Fact label={applicationLabels.amountAppliedFor}>{formatAmount(figures.advance, 2)}</Fact>
        <Fact label={applicationLabels.financingPeriodId}>{period ?? '-'}</Fact>
        <Fact label={figureLabels.feesCharged}>{formatAmount(figures.discountFee, 2)}</Fact>
        <Fact label={figureLabels.amountReceived}>{formatAmount(figures.netProceeds, 2)}</Fact>
      </Facts>
      <Text size="sm" c="dimmed">
        Once it is submitted, the invoice, the application and its documents can no longer be changed.
      </Text>
    </>
  );
}

interface AnswersProps {
  readonly submitting: boolean;
  readonly onNo: () => void;
  readonly onYes: (idempotencyKey: string) => void;
}

function Answers({ submitting, onNo, onYes }: AnswersProps) {
  // One confirmation is one submission, however often a lost line makes it be sent.
  const [idempotencyKey] = useState(uniqueKey);
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onNo} disabled={submitting} data-autofocus>
        Not yet
      </Button>
      <Button loading={submitting} onClick={() => onYes(idempotencyKey)}>
        Yes, submit
      </Button>
    </Group>
  );
}
