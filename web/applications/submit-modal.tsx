import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { formatAmount } from '#contract/money.ts';
import { notices, notify } from '#web/notices.ts';
import { Fact, Facts } from '#web/ui/figure.tsx';
import type { Figures } from './application-figures.ts';
import { YouReceive } from './application-form.tsx';
import { applicationLabels, figureLabels } from './application-values.ts';
import { submitApplication } from './applications.api.ts';

interface SubmitModalProps {
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
  const { invoiceTag, invoiceNumber, figures, currency, period, onClose, onSubmitted, onRefused } = props;
  // One confirmation is one submission, however often a lost line makes it be sent.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const submit = useMutation({
    mutationFn: () => submitApplication(invoiceTag, idempotencyKey),
    onSuccess: () => {
      notify(notices.applicationSubmitted);
      onSubmitted();
    },
    onError: onRefused,
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title="Submit this application?"
      // High up, where a phone's toasts do not cover its buttons.
      centered={false}
      closeOnClickOutside={!submit.isPending}
      closeOnEscape={!submit.isPending}
    >
      <Stack>
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
        {submit.isError && (
          <Alert color="red" role="alert" title="Not submitted">
            {submit.error.message}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={submit.isPending} data-autofocus>
            Not yet
          </Button>
          <Button loading={submit.isPending} onClick={() => submit.mutate()}>
            Yes, submit
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
