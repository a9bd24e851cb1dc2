import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ExtensionReply } from '#contract/offers/schema.ts';
import { type ExtensionAct, useExtension, useExtensionAct } from '#web/applications/offers/extension.api.ts';
import { ExtensionFactList } from '#web/applications/offers/extension-facts.tsx';
import { MoreTimeDialog } from '#web/applications/offers/more-time-dialog.tsx';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { Refusal } from '#web/ui/forms/form-modal.tsx';
import { WaitingButton } from '#web/ui/forms/waiting-button.tsx';

interface MoreTimeProps {
  readonly tag: string;
  /** Whether this officer may act on the case. */
  readonly mayAct: boolean;
}

/** Extensions from the officers' side: one officer offers, another agrees, the client accepts. */
export function MoreTime({ tag, mayAct }: MoreTimeProps) {
  const { data } = useExtension(tag);
  const [offers, setOffers] = useState(false);
  if (data === undefined) return null;
  const offer = () => setOffers(true);
  return (
    <>
      {data.state === 'none' && data.actions.includes('offer') && mayAct && (
        <div>
          <Button variant="default" size="sm" onClick={offer}>
            Offer more time
          </Button>
        </div>
      )}
      {data.state !== 'none' && <Open tag={tag} extension={data} mayAct={mayAct} onOffer={offer} />}
      {offers && (
        <MoreTimeDialog tag={tag} name="offer" onClose={() => setOffers(false)}>
          <Text size="sm">
            Another officer must agree before the client sees it. It costs the fee of its period on what is owed.
          </Text>
        </MoreTimeDialog>
      )}
    </>
  );
}

const titles = {
  asked: 'The client asks for more time',
  offered: 'More time offered. Another officer must agree',
  agreed: 'More time agreed. The client may accept it',
} as const;

interface OpenProps extends MoreTimeProps {
  readonly extension: ExtensionReply;
  readonly onOffer: () => void;
}

function Open({ tag, extension, mayAct, onOffer }: OpenProps) {
  const { state, actions, reason, offer } = extension;
  const acting = useExtensionAct(tag);
  if (state === 'none') return null;
  const start = (act: ExtensionAct) => () => acting.mutate({ act, idempotencyKey: uniqueKey() });
  return (
    <Alert color="yellow" variant="light" title={titles[state]}>
      <Stack gap="xs">
        <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
          {reason}
        </Text>
        {offer !== null && <ExtensionFactList facts={offer.facts} />}
        <Refusal>{acting.error?.message}</Refusal>
        {mayAct && (
          <Group gap="xs">
            {actions.includes('offer') && (
              <Button size="sm" variant="default" onClick={onOffer}>
                Offer more time
              </Button>
            )}
            {actions.includes('agree') && offer !== null && (
              <WaitingButton
                size="sm"
                variant="default"
                busy={acting.isPending}
                onClick={start({ name: 'agree', body: { keyFactsVersion: offer.version } })}
              >
                Agree to it
              </WaitingButton>
            )}
            <WaitingButton size="sm" variant="default" busy={acting.isPending} onClick={start({ name: 'withdraw' })}>
              {state === 'asked' ? 'Refuse' : 'Withdraw offer'}
            </WaitingButton>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}
