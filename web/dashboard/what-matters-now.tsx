import { Anchor, Box, Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AttentionReply, Matter } from '#contract/applications/attention.ts';
import { counted } from '#contract/counts.ts';
import { sayToPayee } from '#contract/payouts/outlook-words.ts';
import { sayDate, sayDayAndMonth, sayLate, sayMoment } from '#contract/time/calendar.ts';
import { HowToPay } from '#web/applications/progress/how-to-pay.tsx';
import { PayNowButton } from '#web/applications/requests-to-pay/pay-now-button.tsx';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { type PillStatus, statusColor } from '#web/ui/theme/status-colors.ts';
import classes from './what-matters-now.module.css';

type Of<Kind extends Matter['kind']> = Extract<Matter, { readonly kind: Kind }>;
type Card = Exclude<Matter, { readonly kind: 'deciding' | 'draft' }>;

/**
 * What matters now, in the server's order: a card for money paid, owed or applied for, a line for an application that
 * is being decided or not submitted yet.
 */
export function WhatMattersNow({ matters, more, payTo }: AttentionReply) {
  const cards = matters.filter((matter) => matter.kind !== 'deciding' && matter.kind !== 'draft');
  // Where to pay is shown once per currency, the reference on each card.
  const dated = cards.filter((card) => 'repaymentReference' in card);
  const isFirst = (card: Card) => dated.find(({ currency }) => currency === card.currency) === card;
  const lines = matters.filter((matter) => matter.kind === 'deciding' || matter.kind === 'draft');
  if (matters.length === 0) return null;
  return (
    <section aria-label="What matters now" className={classes.matters}>
      {cards.length > 0 && (
        <ul className={classes.cards}>
          {cards.map((card) => (
            <MatterCard
              key={`${card.kind} ${card.tag}`}
              card={card}
              payTo={isFirst(card) ? (payTo[card.currency] ?? []) : undefined}
            />
          ))}
        </ul>
      )}
      {lines.map((line) => (
        <Text c="dimmed" key={line.tag}>
          {line.kind === 'draft' ? <DraftLine draft={line} /> : <DecidingLine deciding={line} />}
        </Text>
      ))}
      {more > 0 && (
        <Anchor component={Link} to={paths.myApplications}>
          {`${counted(more, 'more application')} under way`}
        </Anchor>
      )}
    </section>
  );
}

/** A card has the colour of the status it is about. */
const colorOf: Readonly<Record<Card['kind'], PillStatus>> = {
  overdue: 'Overdue',
  asked: 'Info Requested',
  offered: 'Counter-offered',
  approved: 'Approved',
  paidOut: 'Disbursed',
  surplus: 'Settled',
};

function MatterCard({ card, payTo }: { readonly card: Card; readonly payTo: readonly string[] | undefined }) {
  const { headline, text } = wordsOf(card);
  const { className, style } = statusColor(colorOf[card.kind]);
  return (
    <li className={`${classes.card} ${className}`} style={style}>
      <div>
        <p className={classes.headline} data-alarm={card.kind === 'overdue' || undefined}>
          {headline}
        </p>
        <Text size="sm">
          {text} <NumberLink matter={card} />
        </Text>
        {'mayPayNow' in card && card.mayPayNow && (
          <Box my="xs">
            <PayNowButton tag={card.tag} amount={card.amount} currency={card.currency} />
          </Box>
        )}
        {'repaymentReference' in card && <HowToPay accounts={payTo} reference={card.repaymentReference} />}
      </div>
      {'needsAccount' in card && card.needsAccount && (
        <Button component={Link} to={paths.application(card.tag)}>
          Tell us where
        </Button>
      )}
      {card.kind === 'asked' && (
        <Button component={Link} to={paths.answer(card.tag)}>
          Answer now
        </Button>
      )}
      {card.kind === 'offered' && (
        <Button component={Link} to={paths.application(card.tag)}>
          See the offer
        </Button>
      )}
    </li>
  );
}

function wordsOf(card: Card): { readonly headline: ReactNode; readonly text: ReactNode } {
  switch (card.kind) {
    case 'overdue':
      return {
        headline: (
          <>
            Overdue {counted(card.days, 'day')} · <Money of={card} />
          </>
        ),
        text: `Pay it back now, or call us if your buyer is late. It was due ${sayDate(card.dueOn)}.`,
      };
    case 'asked':
      return { headline: 'We need something from you', text: 'Answer so we can continue.' };
    case 'offered':
      return {
        headline: (
          <>
            We can offer you <Money of={card} />
          </>
        ),
        text: 'Compare it with what you asked for, then accept or decline it.',
      };
    case 'approved':
      return {
        headline: (
          <>
            Approved: <Money of={card} /> to you
          </>
        ),
        text: `${sayToPayee(card.outlook, new Date())}.`,
      };
    case 'paidOut':
      return {
        headline: (
          <>
            Pay back <Money of={card} /> by {sayDayAndMonth(card.dueOn)}
          </>
        ),
        text: 'Paid out.',
      };
    case 'surplus':
      return {
        headline: (
          <>
            We owe you <Money of={card} />
          </>
        ),
        text: `Fully paid back. This extra is yours. ${sayToPayee(card.outlook, new Date())}.`,
      };
  }
}

function NumberLink({ matter: { tag, invoiceNumber } }: { readonly matter: Matter }) {
  return (
    <Anchor component={Link} to={paths.application(tag)} inherit fw={600} underline="always" className={classes.number}>
      {invoiceNumber}
    </Anchor>
  );
}

function Money({ of }: { readonly of: { readonly amount: number; readonly currency: string } }) {
  return (
    <strong>
      <Amount value={of.amount} currency={of.currency} />
    </strong>
  );
}

function DraftLine({ draft }: { readonly draft: Of<'draft'> }) {
  const { amount, currency } = draft;
  const link = <NumberLink matter={draft} />;
  if (amount === null) return <>Finish {link}: it is not submitted yet.</>;
  return (
    <>
      Submit {link} to receive <Money of={{ amount, currency }} />.
    </>
  );
}

function DecidingLine({ deciding }: { readonly deciding: Of<'deciding'> }) {
  const { decideBy, targetMinutes } = deciding;
  const said =
    decideBy === null
      ? `${sayLate(targetMinutes)}. We're sorry. We'll decide as soon as we can.`
      : `We'll decide by ${sayMoment(new Date(decideBy), new Date())}.`;
  return (
    <>
      <NumberLink matter={deciding} />: {said}
    </>
  );
}
