import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { ExtensionReply } from '#contract/offers/schema.ts';
import { sayDayAndMonth } from '#contract/time/calendar.ts';
import { ACCEPT } from '#web/applications/terms/key-facts.tsx';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { useExtension, useExtensionAct } from './extension.api.ts';
import { ExtensionFactList } from './extension-facts.tsx';
import { MoreTimeDialog } from './more-time-dialog.tsx';

/** More time to pay back: the way to ask for it, and what two officers have agreed to, for the client to accept. */
export function MoreTime({ tag }: { readonly tag: string }) {
  const { data } = useExtension(tag);
  const [asks, setAsks] = useState(false);
  if (data === undefined) return null;
  if (data.state === 'agreed' && data.offer !== null) return <Agreed tag={tag} offer={data.offer} />;
  if (data.state !== 'none')
    return <Text size="sm">You asked for more time to pay back. We will answer you; until then nothing changes.</Text>;
  if (!data.mayAsk) return null;
  return (
    <div>
      <Button variant="default" size="sm" onClick={() => setAsks(true)}>
        Ask for more time
      </Button>
      {asks && (
        <MoreTimeDialog
          tag={tag}
          name="ask"
          title="Ask for more time"
          action="Ask for it"
          reasonLabel="Why you need it"
          onClose={() => setAsks(false)}
        >
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
        <Button size="sm" onClick={() => setAccepts(true)}>
          See the terms and accept
        </Button>
      </Group>
      {accepts && <AcceptDialog tag={tag} offer={offer} onClose={() => setAccepts(false)} />}
    </Alert>
  );
}

function AcceptDialog({ tag, offer, onClose }: AgreedProps & { readonly onClose: () => void }) {
  const acting = useExtensionAct(tag);
  const [keys] = useState(() => new Map<string, string>());
  const { version, facts } = offer;
  /** One agreement to the same facts is one acceptance, however often a lost line makes it be sent. */
  function keyOf(): string {
    const key = keys.get(version) ?? uniqueKey();
    keys.set(version, key);
    return key;
  }
  return (
    <ActionDialog
      title="Accept more time?"
      action={ACCEPT}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        acting.mutate({ act: { name: 'accept', version }, idempotencyKey: keyOf() }, { onSuccess: onClose });
      }}
      sending={acting.isPending}
      refusal={acting.error?.message}
    >
      <ExtensionFactList facts={facts} />
      <Text size="sm">
        <strong>If it is late:</strong> {facts.ifLate}
      </Text>
      <Text size="sm">The fee is owed as soon as you accept.</Text>
    </ActionDialog>
  );
}
