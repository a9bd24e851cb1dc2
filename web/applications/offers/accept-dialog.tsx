import { Text } from '@mantine/core';
import { useState } from 'react';
import type { ExtensionReply } from '#contract/offers/schema.ts';
import { ACCEPT } from '#web/applications/terms/key-facts.tsx';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { useExtensionAct } from './extension.api.ts';
import { ExtensionFactList } from './extension-facts.tsx';

interface AcceptDialogProps {
  readonly tag: string;
  readonly offer: NonNullable<ExtensionReply['offer']>;
  readonly onClose: () => void;
}

/** Shows an extension's price for the client to accept. */
export function AcceptDialog({ tag, offer, onClose }: AcceptDialogProps) {
  const acting = useExtensionAct(tag);
  const [keys] = useState(() => new Map<string, string>());
  const { version, facts } = offer;
  /**
   * The key of an acceptance: agreeing to the same facts is one acceptance, however often a bad connection makes it be
   * sent.
   */
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
        const body = { keyFactsVersion: version };
        acting.mutate({ act: { name: 'accept', body }, idempotencyKey: keyOf() }, { onSuccess: onClose });
      }}
      sending={acting.isPending}
      refusal={acting.error?.message}
    >
      <ExtensionFactList facts={facts} />
      <Text size="sm">
        <strong>If it is late:</strong> {facts.ifLate}
      </Text>
      <Text size="sm">{facts.ifReversed}</Text>
      <Text size="sm">The fee is owed as soon as you accept.</Text>
    </ActionDialog>
  );
}
