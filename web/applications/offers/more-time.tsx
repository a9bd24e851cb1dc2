import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { ExtensionReply } from '#contract/offers/schema.ts';
import { sayDayAndMonth } from '#contract/time/calendar.ts';
import { late, openLate } from '#web/ui/loading/late.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { useExtension } from './extension.api.ts';

/** Loads with the button that opens it, not with the screen. */
const MoreTimeDialog = late(async () => (await import('./more-time-dialog.tsx')).MoreTimeDialog, { meanwhile: null });
const AcceptDialog = late(async () => (await import('./accept-dialog.tsx')).AcceptDialog, { meanwhile: null });

/**
 * More time to pay back: the button to ask for it, and the extension that two officers agreed to, for the client to
 * accept.
 */
export function MoreTime({ tag }: { readonly tag: string }) {
  const { data } = useExtension(tag);
  const [asks, setAsks] = useState(false);
  if (data === undefined) return null;
  if (data.state === 'agreed' && data.offer !== null) return <Agreed tag={tag} offer={data.offer} />;
  if (data.state !== 'none')
    return (
      <Text size="sm">You asked for more time to pay back. We'll answer you soon. Until then nothing changes.</Text>
    );
  if (!data.actions.includes('ask')) return null;
  return (
    <div>
      <Button variant="default" size="sm" onClick={() => openLate(MoreTimeDialog, () => setAsks(true))}>
        Ask for more time
      </Button>
      {asks && (
        <MoreTimeDialog tag={tag} name="ask" onClose={() => setAsks(false)}>
          <Text size="sm">
            More time costs the fee of its period on what you owe. We tell you the amount and the date before you
            accept.
          </Text>
        </MoreTimeDialog>
      )}
    </div>
  );
}

interface AgreedProps {
  readonly tag: string;
  readonly offer: NonNullable<ExtensionReply['offer']>;
}

function Agreed({ tag, offer }: AgreedProps) {
  const [accepts, setAccepts] = useState(false);
  const { currency, toPayBack, newDueOn, fee } = offer.facts;
  return (
    <Alert variant="light" title="We can give you more time">
      <Text size="sm" mb="xs">
        Pay back{' '}
        <b>
          <Amount value={toPayBack} currency={currency} />
        </b>{' '}
        by <b>{sayDayAndMonth(newDueOn)}</b>. The fee of <Amount value={fee} currency={currency} /> is included.
      </Text>
      <Group>
        <Button size="sm" onClick={() => openLate(AcceptDialog, () => setAccepts(true))}>
          See the terms and accept
        </Button>
      </Group>
      {accepts && <AcceptDialog tag={tag} offer={offer} onClose={() => setAccepts(false)} />}
    </Alert>
  );
}
