import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { formatAmount, toMinor } from '#contract/money.ts';
import { offerEndpoints } from '#contract/offers/endpoints.ts';
import type { OfferReply, OfferTerms } from '#contract/offers/schema.ts';
import { sayDate, sayDayAndMonth } from '#contract/time/calendar.ts';
import { liveForClient } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { late, openLate } from '#web/ui/loading/late.tsx';
import { Loaded } from '#web/ui/loading/not-loaded.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import classes from './offer.module.css';
import type { OfferProps } from './offer-dialogs.tsx';
import progressClasses from './progress.module.css';

/** Loads with the button that opens it, not with the screen. */
const AcceptModal = late(async () => (await import('./offer-dialogs.tsx')).AcceptModal, { meanwhile: null });
const DeclineModal = late(async () => (await import('./offer-dialogs.tsx')).DeclineModal, { meanwhile: null });

/** A counter-offer beside the original request, for the client to accept by its key facts or to decline. */
export function Offer(props: OfferProps) {
  const offer = useCall(offerEndpoints.loadOffer, { params: { tag: props.tag }, ...liveForClient });
  return (
    <Loaded what="The offer" query={offer} height={280}>
      {(data) => <Offered {...props} offer={data} onChanged={() => void offer.refetch()} />}
    </Loaded>
  );
}

interface LoadedProps extends OfferProps {
  readonly offer: OfferReply;
  readonly onChanged: () => void;
}

function Offered({ offer, onChanged, ...props }: LoadedProps) {
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
        <Button onClick={() => openLate(AcceptModal, () => setAsked('accept'))}>See the terms and accept</Button>
        <Button variant="default" onClick={() => openLate(DeclineModal, () => setAsked('decline'))}>
          Decline
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
