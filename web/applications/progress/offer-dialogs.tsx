import { Alert, Button, Modal, Stack } from '@mantine/core';
import { useState } from 'react';
import type { OfferReply } from '#contract/offers/schema.ts';
import { ACCEPT, KeyFacts } from '#web/applications/terms/key-facts.tsx';
import answers from '#web/applications/terms/submit-modal.module.css';
import { ApiFailure } from '#web/platform/api/api.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { QuestionDialog } from '#web/ui/forms/question.tsx';
import { WaitingButton } from '#web/ui/forms/waiting-button.tsx';
import { useIsPhone } from '#web/ui/theme/use-is-phone.ts';
import { useAcceptOffer, useDeclineOffer } from './progress.api.ts';

/** The application that the offer is for. */
export interface OfferProps {
  readonly tag: string;
  readonly invoiceNumber: string;
  /** Called when the client has answered: moves the focus to the heading. */
  readonly onStep: () => void;
}

interface AcceptProps extends OfferProps {
  readonly offer: OfferReply;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** The key facts of the offer, with the button that agrees to them. */
export function AcceptModal({ tag, invoiceNumber, offer, onStep, onChanged, onClose }: AcceptProps) {
  const isPhone = useIsPhone();
  const [idempotencyKey, setIdempotencyKey] = useState(uniqueKey);
  const accept = useAcceptOffer(tag, onStep);
  const { version } = offer.keyFacts;
  const isChanged = accept.error instanceof ApiFailure && accept.error.code === 'OFFER_CHANGED';
  const agree = (): void =>
    accept.mutate(
      { version, idempotencyKey },
      {
        onError: () => {
          setIdempotencyKey(uniqueKey());
          onChanged();
        },
      },
    );
  return (
    <Modal
      opened
      onClose={() => accept.isPending || onClose()}
      title="Accept this offer?"
      size="lg"
      fullScreen={isPhone}
      centered={false}
      withCloseButton={!accept.isPending}
    >
      <Stack>
        {accept.isError && (
          <Alert color="red" role="alert" title="Not accepted">
            {isChanged
              ? 'The offer has changed since you opened this. Read it, then agree to it.'
              : accept.error.message}
          </Alert>
        )}
        <KeyFacts facts={offer.keyFacts} invoiceNumber={invoiceNumber} of="offer" />
        <div className={answers.answers}>
          <Button variant="default" onClick={onClose} disabled={accept.isPending} data-autofocus>
            Not yet
          </Button>
          <WaitingButton className={answers.agree ?? ''} busy={accept.isPending} onClick={agree}>
            {ACCEPT}
          </WaitingButton>
        </div>
      </Stack>
    </Modal>
  );
}

type DeclineProps = OfferProps & { readonly onClose: () => void };

/** Asks for confirmation before the offer is declined. */
export function DeclineModal({ tag, onStep, onClose }: DeclineProps) {
  const decline = useDeclineOffer(tag, onStep);
  return (
    <QuestionDialog
      title="Decline this offer?"
      yes="Decline"
      failed="Not declined"
      mutation={decline}
      onYes={decline.mutate}
      onClose={onClose}
    >
      Your application ends, and nothing is paid out. You can apply again for the same invoice.
    </QuestionDialog>
  );
}
