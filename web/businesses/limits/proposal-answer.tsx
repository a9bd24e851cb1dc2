import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { failures } from '#contract/errors.ts';
import type { LimitProposal } from '#contract/limits/schema.ts';
import { formatAmount, toMinor } from '#contract/money.ts';
import { useSessionUser } from '#web/platform/session/session.ts';
import { formatFullDate } from '#web/ui/dates/dates.ts';
import { Refusal } from '#web/ui/forms/form-modal.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { useAnswerProposal } from './limits.api.ts';

interface ProposalAnswerProps {
  readonly proposal: LimitProposal;
  readonly currency: string;
  /** The client. */
  readonly business: { readonly tag: string; readonly name: string };
}

/** A limit that one officer proposed: the amount, the proposer, the reason, and a second officer's two answers. */
export function ProposalAnswer({ proposal, currency, business }: ProposalAnswerProps) {
  const { tag, limit, reason, by, at, refusal } = proposal;
  const answering = useAnswerProposal();
  const user = useSessionUser();
  const isOwn = user?.tag === by.tag;
  const sum = `${currency} ${formatAmount(toMinor(limit))}`;
  return (
    <Alert variant="light" title="Waits for another officer" my="xs">
      <Stack gap="xs">
        <Text size="sm">
          {isOwn ? 'You' : by.name} proposed <Amount value={limit} currency={currency} /> on {formatFullDate(at)}.
        </Text>
        <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
          {reason}
        </Text>
        {refusal !== null && <Text size="sm">{failures[refusal].msg}.</Text>}
        <Refusal>{answering.error?.message}</Refusal>
        {user?.bizTag !== business.tag && (
          <Group gap="xs">
            {refusal === null && (
              <Button
                size="sm"
                loading={answering.isPending}
                onClick={() =>
                  answering.mutate({ tag, answer: 'confirm', done: `The limit of ${business.name} is ${sum}` })
                }
              >
                Confirm Limit
              </Button>
            )}
            <Button
              size="sm"
              variant="default"
              disabled={answering.isPending}
              onClick={() => answering.mutate({ tag, answer: 'decline', done: `${sum} was declined` })}
            >
              {isOwn ? 'Withdraw' : 'Decline'}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}
