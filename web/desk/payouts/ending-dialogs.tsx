import { Alert, Button, Group, Radio, type RadioGroupProps, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { failures } from '#contract/errors.ts';
import { transferEndpoints } from '#contract/transfers/endpoints.ts';
import { type EndingBody, endingBody, type OpenTransfer } from '#contract/transfers/schema.ts';
import { useRecording } from '#web/desk/use-recording.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';
import { Amount } from '#web/ui/text/amount.tsx';

/** The steps by which officers settle a transfer whose provider is silent. */
export type EndingStep = 'propose' | 'confirm' | 'drop';

type Ending = NonNullable<OpenTransfer['ending']>;

interface NoticeProps {
  readonly transfer: OpenTransfer;
  readonly ending: Ending;
  readonly onAnswer: (answer: 'confirm' | 'drop') => void;
}

/** Another officer's proposal for how a transfer ended. */
export function EndingNotice({ transfer, ending, onAnswer }: NoticeProps) {
  return (
    <Alert color="yellow" variant="light" mt="xs" title={sayEnding(transfer, ending)}>
      <Text size="sm">{ending.reason}</Text>
      {isUnsent(transfer) && <Text size="sm">We do not send it before an officer answers.</Text>}
      {ending.isOwn && <Text size="sm">{failures.OWN_ENDING.msg}.</Text>}
      <Group gap="xs" mt="xs">
        <Button size="sm" disabled={ending.isOwn} onClick={() => onAnswer('confirm')}>
          Confirm
        </Button>
        <Button size="sm" variant="default" onClick={() => onAnswer('drop')}>
          {answersTo(transfer).drop.action}
        </Button>
      </Group>
    </Alert>
  );
}

function sayEnding(transfer: OpenTransfer, { proposedBy, outcome, providerReference }: Ending): string {
  if (outcome === 'paid') return `${proposedBy} says: the provider paid it, ${providerReference}`;
  return isUnsent(transfer) ? `${proposedBy} stops this payout` : `${proposedBy} says: the provider did not pay it`;
}

/** A payout that has not been sent to its provider yet: the step stops it. */
export function isUnsent({ direction, state }: Pick<OpenTransfer, 'direction' | 'state'>): boolean {
  return direction === 'out' && state === 'released';
}

interface DialogProps {
  readonly transfer: OpenTransfer;
  readonly onClose: () => void;
}

/** The dialog of a step. */
export function EndingDialog({ step, ...props }: DialogProps & { readonly step: EndingStep }) {
  const { ending } = props.transfer;
  if (step === 'propose') return <ProposeDialog {...props} />;
  return ending === null ? null : <AnswerDialog {...props} act={step} ending={ending} />;
}

function ProposeDialog({ transfer, onClose }: DialogProps) {
  const unsent = isUnsent(transfer);
  const { form, dialog } = useRecording({
    endpoint: transferEndpoints.proposeEnding,
    tag: transfer.tag,
    bodyOf,
    onClose,
    initialValues: { outcome: unsent ? 'notPaid' : '', providerReference: '', reason: '' },
    validate: schemaResolver(endingBody),
    done: 'Another officer can confirm it now',
  });
  return (
    <ActionDialog
      title={unsent ? 'Stop this payout?' : 'How did this end?'}
      action={unsent ? 'Stop this payout' : 'Say how it ended'}
      {...dialog}
    >
      <Asked transfer={transfer} />
      {unsent ? (
        <Text size="sm">From now on we do not send it. Another officer must confirm that.</Text>
      ) : (
        <Outcome rail={transfer.rail} {...form.getInputProps('outcome')} />
      )}
      {form.values.outcome === 'paid' && (
        <TextInput
          label="Number of the payment"
          withAsterisk
          autoComplete="off"
          maxLength={60}
          {...form.getInputProps('providerReference')}
        />
      )}
      <TextArea
        label={unsent ? 'Why are you stopping it?' : 'How do you know?'}
        withAsterisk
        maxLength={500}
        {...form.getInputProps('reason')}
      />
    </ActionDialog>
  );
}

function Outcome({ rail, ...input }: Omit<RadioGroupProps, 'children'> & { readonly rail: string }) {
  return (
    <>
      <Text size="sm">Look at the record of {rail} first. Another officer must confirm it.</Text>
      <Radio.Group label="What does the record say?" withAsterisk {...input}>
        <Stack gap="xs" mt="xs">
          <Radio value="paid" label={`${rail} paid it`} />
          <Radio value="notPaid" label={`${rail} did not pay it`} />
        </Stack>
      </Radio.Group>
    </>
  );
}

/** The contract's schema checks the form before it is sent. */
function bodyOf({ outcome, providerReference, reason }: Record<string, string>): EndingBody {
  const said = outcome === 'paid' ? ({ outcome, providerReference } as const) : ({ outcome: 'notPaid' } as const);
  return { ...said, reason: reason ?? '' };
}

const answers = {
  confirm: { title: 'Confirm how this ended?', action: 'Confirm', done: 'Confirmed' },
  drop: { title: 'Keep asking the provider?', action: 'Keep asking', done: 'We keep asking' },
} as const;
const ofStopping = {
  confirm: { ...answers.confirm, title: 'Confirm that this payout is stopped?' },
  drop: { title: 'Let this payout go?', action: "Don't stop it", done: 'It is not stopped' },
} as const;

function answersTo(transfer: OpenTransfer): typeof answers | typeof ofStopping {
  return isUnsent(transfer) ? ofStopping : answers;
}

const consequences = {
  out: {
    paid: 'We record it as paid out.',
    notPaid: 'You can prepare it again. If this payment still goes out, the client is paid twice.',
  },
  in: {
    paid: 'We record it as received.',
    notPaid: 'The client can pay again. If this money still comes, the statement shows it.',
  },
} as const satisfies Record<OpenTransfer['direction'], Record<Ending['outcome'], string>>;

interface AnswerProps extends DialogProps {
  readonly act: 'confirm' | 'drop';
  readonly ending: Ending;
}

function AnswerDialog({ transfer, act, ending, onClose }: AnswerProps) {
  const { title, action, done } = answersTo(transfer)[act];
  const { dialog } = useRecording({
    endpoint: act === 'confirm' ? transferEndpoints.confirmEnding : transferEndpoints.dropEnding,
    tag: transfer.tag,
    initialValues: {},
    done,
    onClose,
    bodyOf: () => ({ endingTag: ending.tag }),
  });
  return (
    <ActionDialog title={title} action={action} {...dialog}>
      <Asked transfer={transfer} />
      <Text size="sm">
        {sayEnding(transfer, ending)}. {ending.reason}
      </Text>
      {act === 'confirm' && <Text size="sm">{consequences[transfer.direction][ending.outcome]}</Text>}
    </ActionDialog>
  );
}

/** The provider's current answer. */
function Asked({ transfer: { tag, rail, amount, currency, to, direction, file } }: Pick<DialogProps, 'transfer'>) {
  const { data, isError } = useCall(transferEndpoints.askTransfer, { params: { tag }, gcTime: 0 });
  return (
    <>
      <Text>
        <Amount value={amount} currency={currency} /> {direction === 'out' ? 'to' : 'from'} {to}
      </Text>
      {data === undefined && !isError && <Skeleton height={20} />}
      {isError && <Text size="sm">We could not ask {rail}. Close this and try again.</Text>}
      {data !== undefined && (
        <Text size="sm">
          {file === null ? (
            <>
              {rail} says now: <b>{data.said}</b>.
            </>
          ) : (
            'Import the bank’s statement first. It may show how this ended.'
          )}
          {data.isEnded && ' It has ended. Close this.'}
        </Text>
      )}
    </>
  );
}
