import { Alert, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { collectionEndpoints } from '#contract/collections/endpoints.ts';
import type { RepaymentReply } from '#contract/collections/schema.ts';
import { PAY_EARLY } from '#contract/payments/how-to-pay.ts';
import { sayDate } from '#contract/time/calendar.ts';
import { MoreTime } from '#web/applications/offers/more-time.tsx';
import { PayNow } from '#web/applications/requests-to-pay/pay-now.tsx';
import { liveForClient } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { late, openLate } from '#web/ui/loading/late.tsx';
import { Loaded } from '#web/ui/loading/not-loaded.tsx';
import { HowToPay } from './how-to-pay.tsx';

/** Loads with the button that opens it, not with the screen. */
const BuyerLateDialog = late(async () => (await import('./buyer-late-dialog.tsx')).BuyerLateDialog, {
  meanwhile: null,
});

/** How the client pays back, what the buyer said, and the button to report that the buyer will pay late. */
export function Repayment({ tag }: { readonly tag: string }) {
  const repayment = useCall(collectionEndpoints.repayment, { params: { tag }, ...liveForClient });
  return (
    <Loaded what="How to pay" query={repayment} height={0}>
      {(data) => <Repaying tag={tag} repayment={data} />}
    </Loaded>
  );
}

function Repaying({ tag, repayment }: { readonly tag: string; readonly repayment: RepaymentReply }) {
  const { outstanding, overdue, payTo, repaymentReference, buyerLate, dispute, mayTellLate } = repayment;
  const [asked, setAsked] = useState(false);
  // Written off, but the client may still pay it.
  if (outstanding === 0)
    return (
      <Stack gap="xs">
        <PayNow tag={tag} />
        <HowToPay accounts={payTo} reference={repaymentReference} />
      </Stack>
    );
  return (
    <Stack gap="xs">
      <PayNow tag={tag} />
      <HowToPay accounts={payTo} reference={repaymentReference} />
      {overdue === null && <Text size="sm">{PAY_EARLY}</Text>}
      {dispute !== null && (
        <Alert color="yellow" variant="light" title="Your buyer disputes this invoice">
          <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
            {dispute.reason}
          </Text>
          <Text size="sm">We send no reminders while this is open. You still owe the amount.</Text>
        </Alert>
      )}
      {buyerLate !== null && (
        <Text size="sm">
          You told us your buyer pays on {sayDate(buyerLate.date)}: {buyerLate.reason}
        </Text>
      )}
      {mayTellLate && (
        <div>
          <Button variant="default" size="sm" onClick={() => openLate(BuyerLateDialog, () => setAsked(true))}>
            My buyer will pay late
          </Button>
        </div>
      )}
      <MoreTime tag={tag} />
      {asked && <BuyerLateDialog tag={tag} dueOn={repayment.dueOn} onClose={() => setAsked(false)} />}
    </Stack>
  );
}
