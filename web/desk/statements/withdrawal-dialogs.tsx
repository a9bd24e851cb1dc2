import { Alert, Anchor, Text } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { statementEndpoints } from '#contract/statements/endpoints.ts';
import { type ImportedStatement, type WithdrawalReply, withdrawalBody } from '#contract/statements/schema.ts';
import { consequences, type Mentioned, obstacles } from '#contract/statements/withdrawal.ts';
import { useRecording } from '#web/desk/use-recording.ts';
import { paths } from '#web/paths.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { Link } from '#web/platform/router/router.tsx';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';
import { Loaded } from '#web/ui/loading/not-loaded.tsx';

interface DialogProps {
  readonly statement: ImportedStatement;
  readonly onClose: () => void;
}

interface AnswerProps extends DialogProps {
  readonly withdrawal: NonNullable<ImportedStatement['withdrawal']>;
}

/** The obstacles to withdrawing a statement, and the consequences; loaded when a dialog opens. */
function useWithdrawal(tag: string) {
  return useCall(statementEndpoints.readWithdrawal, { params: { tag }, staleTime: 0 });
}

/** Proposes to withdraw a statement. */
export function ProposeWithdrawalDialog({ statement: { tag, fileName }, onClose }: DialogProps) {
  const query = useWithdrawal(tag);
  const { form, dialog } = useRecording({
    endpoint: statementEndpoints.proposeWithdrawal,
    tag,
    onClose,
    initialValues: { reason: '' },
    validate: schemaResolver(withdrawalBody),
    bodyOf: (body) => body,
    done: 'The withdrawal is proposed',
  });
  const isBlocked = query.data?.obstacles.length !== 0;
  return (
    <ActionDialog title="Withdraw this statement?" action="Propose to withdraw it" {...dialog} blocked={isBlocked}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {fileName}: its money leaves Received Money, and its lines count no more. Another officer confirms it.
      </Text>
      <Effects query={query} />
      {!isBlocked && (
        <TextArea label="Reason" withAsterisk maxLength={500} data-autofocus {...form.getInputProps('reason')} />
      )}
    </ActionDialog>
  );
}

/** Withdraws a statement that another officer proposed to withdraw. */
export function ConfirmWithdrawalDialog({ statement: { tag, fileName }, withdrawal, onClose }: AnswerProps) {
  const query = useWithdrawal(tag);
  const { dialog } = useRecording({
    endpoint: statementEndpoints.confirmWithdrawal,
    tag,
    onClose,
    initialValues: {},
    bodyOf: () => ({ withdrawalTag: withdrawal.tag }),
    done: 'The statement is withdrawn',
    renewsKey: true,
  });
  const isBlocked = query.data?.obstacles.length !== 0;
  return (
    <ActionDialog title="Withdraw this statement?" action="Withdraw it" {...dialog} blocked={isBlocked}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {fileName}, proposed by {withdrawal.proposedBy}: {withdrawal.reason}
      </Text>
      <Text size="sm">Its money leaves Received Money, and its lines count no more.</Text>
      <Effects query={query} />
    </ActionDialog>
  );
}

/** Drops the proposal. */
export function DropWithdrawalDialog({ statement: { tag, fileName }, withdrawal, onClose }: AnswerProps) {
  const { dialog } = useRecording({
    endpoint: statementEndpoints.dropWithdrawal,
    tag,
    onClose,
    initialValues: {},
    bodyOf: () => ({ withdrawalTag: withdrawal.tag }),
    done: 'The statement stays',
  });
  return (
    <ActionDialog title="Keep this statement?" action="Keep it" {...dialog}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {fileName}, proposed by {withdrawal.proposedBy}: {withdrawal.reason}
      </Text>
    </ActionDialog>
  );
}

/** The obstacles to a withdrawal, or its consequences if there are none. */
function Effects({ query }: { readonly query: ReturnType<typeof useWithdrawal> }) {
  return (
    <Loaded what="The statement" query={query} height={60}>
      {(data: WithdrawalReply) =>
        data.obstacles.length > 0 ? (
          <Alert color="red" variant="light" title="It cannot be withdrawn yet">
            {data.obstacles.map((one) => (
              <Mentions key={one.kind} text={obstacles[one.kind]} mentioned={one} />
            ))}
          </Alert>
        ) : (
          data.consequences.map((one) => <Mentions key={one.kind} text={consequences[one.kind]} mentioned={one} />)
        )
      }
    </Loaded>
  );
}

interface MentionsProps {
  readonly text: string;
  readonly mentioned: Mentioned;
}

function Mentions({ text, mentioned: { total, first } }: MentionsProps) {
  // Two repayments of an application may have the same amount, and two files the same name.
  const named = [...new Map(first.map((one) => [one.name, one])).values()];
  return (
    <div>
      <Text size="sm">{text}:</Text>
      <ul style={{ margin: 0, paddingInlineStart: 20 }}>
        {named.map(({ name, applicationTag }) => (
          <Text component="li" size="sm" key={name} style={{ overflowWrap: 'anywhere' }}>
            {applicationTag === null ? (
              name
            ) : (
              <Anchor component={Link} to={paths.deskCase(applicationTag)} inherit c="inherit" underline="always">
                {name}
              </Anchor>
            )}
          </Text>
        ))}
        {total > first.length && (
          <Text component="li" size="sm">
            and {total - first.length} more
          </Text>
        )}
      </ul>
    </div>
  );
}
