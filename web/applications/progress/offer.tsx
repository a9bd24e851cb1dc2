import { Alert, Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { formatAmount, toMinor } from '#contract/money.ts';
import type { OfferReply, OfferTerms } from '#contract/offers/schema.ts';
import { sayDate, sayDayAndMonth } from '#contract/time/calendar.ts';
import { ACCEPT, KeyFacts } from '#web/applications/terms/key-facts.tsx';
import answers from '#web/applications/terms/submit-modal.module.css';
import { PHONE } from '#web/notices.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { WaitingButton } from '#web/ui/forms/waiting-button.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import classes from './offer.module.css';
import { useAcceptOffer, useDeclineOffer, useOffer } from './progress.api.ts';
import progressClasses from './progress.module.css';

interface OfferProps {
  readonly tag: string;
  readonly invoiceNumber: string;
  /** The client answered: moves the focus to the heading. */
  readonly onStep: () => void;
}

/** A counter-offer beside what was asked for, for the client to accept by its key facts or to let go. */
export function Offer(props: OfferProps) {
  const offer = useOffer(props.tag);
  if (offer.data !== undefined) return <Loaded {...props} offer={offer.data} onChanged={() => void offer.refetch()} />;
  if (!offer.isError) return <Skeleton height={280} />;
  return (
    <Alert color="red" variant="light" title="The offer did not load">
      <Group justify="space-between" gap="sm">
        <Text size="sm">{offer.error.message}</Text>
        <Button variant="default" size="sm" onClick={() => void offer.refetch()}>
          Retry
        </Button>
      </Group>
    </Alert>
  );
}

interface LoadedProps extends OfferProps {
  readonly offer: OfferReply;
  readonly onChanged: () => void;
}

function Loaded({ offer, onChanged, ...props }: LoadedProps) {
  const [asked, setAsked] = useState<'accept' | 'decline'>();
  const { currency, offered, reason, validUntil } = offer;
  const close = (): void => setAsked(undefined);
  return (
    <>
      <p className={progressClasses.headline}>
        We can offer you{' '}
        <span className={progressClasses.money}>{`${currency} ${formatAmount(toMinor(offered.amountReceived))}`}</span>
      </p>
      <blockquote className={progressClasses.quote}>{reason}</blockquote>
      <Comparison offer={offer} />
      <Text>
        Answer by <b>{sayDate(validUntil)}</b>. After that the offer ends, and you can apply again.
      </Text>
      <Group gap="sm">
        <Button onClick={() => setAsked('accept')}>See the terms and accept</Button>
        <Button variant="default" onClick={() => setAsked('decline')}>
          Let it go
        </Button>
      </Group>
      {asked === 'accept' && <AcceptModal {...props} offer={offer} onChanged={onChanged} onClose={close} />}
      {asked === 'decline' && <DeclineModal {...props} onClose={close} />}
    </>
  );
}

const rows: readonly {
  readonly label: (currency: string) => string;
  readonly cell: (terms: OfferTerms) => ReactNode;
}[] = [
  {
    label: (currency) => `You receive, ${currency}`,
    cell: ({ amountReceived }) => <Amount value={amountReceived} />,
  },
  { label: (currency) => `Fee, ${currency}`, cell: ({ feesCharged }) => <Amount value={feesCharged} /> },
  {
    label: (currency) => `Pay back, ${currency}`,
    cell: ({ amountAppliedFor }) => <Amount value={amountAppliedFor} />,
  },
  { label: () => 'Period', cell: ({ tenorDays }) => `${tenorDays} days` },
  { label: () => 'Pay back by', cell: ({ paymentExpectedOn }) => sayDayAndMonth(paymentExpectedOn) },
];

function Comparison({ offer: { currency, asked, offered } }: { readonly offer: OfferReply }) {
  return (
    <table className={classes.terms} aria-label="What you asked for and what we offer">
      <thead>
        <tr>
          <td />
          <th scope="col">You asked for</th>
          <th scope="col">We offer</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, cell }) => (
          <tr key={label(currency)}>
            <th scope="row">{label(currency)}</th>
            <td>{cell(asked)}</td>
            <td>{cell(offered)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type AcceptProps = LoadedProps & { readonly onClose: () => void };

/** The key facts of the offer, and the button that agrees to them. */
function AcceptModal({ tag, invoiceNumber, offer, onStep, onChanged, onClose }: AcceptProps) {
  const isPhone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false });
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

function DeclineModal({ tag, onStep, onClose }: DeclineProps) {
  const [idempotencyKey] = useState(uniqueKey);
  const decline = useDeclineOffer(tag, onStep);
  return (
    <Modal
      opened
      onClose={() => decline.isPending || onClose()}
      title="Let this offer go?"
      centered={false}
      withCloseButton={!decline.isPending}
    >
      <Stack>
        <Text>Your application ends, and nothing is paid out. You can apply again for the same invoice.</Text>
        {decline.isError && (
          <Alert color="red" role="alert" title="Not done">
            {decline.error.message}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={decline.isPending} data-autofocus>
            Keep it
          </Button>
          <WaitingButton color="red" busy={decline.isPending} onClick={() => decline.mutate(idempotencyKey)}>
            Let it go
          </WaitingButton>
        </Group>
      </Stack>
    </Modal>
  );
}
