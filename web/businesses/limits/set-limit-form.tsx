import { Button, Group, Stack, Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import { type BusinessLimit, setLimitBody } from '#contract/limits/schema.ts';
import { formatAmount, toMinor } from '#contract/money.ts';
import { notices, notify } from '#web/notices.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { focusFirstInvalid } from '#web/ui/focus/focus-invalid.ts';
import { MoneyInput, type TypedAmount } from '#web/ui/forms/money-input.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { useSetLimit } from './limits.api.ts';

interface SetLimitFormProps {
  readonly business: { readonly tag: string; readonly name: string };
  readonly limit: BusinessLimit;
  readonly onClose: () => void;
}

const fields = ['limit', 'reason'] as const;

function useLimitForm({ business, limit: { currencyId, currency, limit, growth }, onClose }: SetLimitFormProps) {
  const setting = useSetLimit(business.tag);
  const [idempotencyKey] = useState(uniqueKey);
  const [refusal, setRefusal] = useState<string>();
  const first: TypedAmount = growth?.earned === true ? growth.next : limit;
  const form = useForm({
    initialValues: { currencyId, limit: first, reason: '' },
    validate: schemaResolver(setLimitBody),
  });
  const refuse = (error: Error): void => {
    const known = error instanceof ApiFailure ? error.fields : {};
    form.setErrors({ ...known });
    focusFirstInvalid(form, fields, known);
    setRefusal(Object.keys(known).length > 0 ? undefined : error.message);
  };
  const send = form.onSubmit(
    (values) => {
      const amount = Number(values.limit);
      setting.mutate(
        // The limit that stands above the form at this moment, also after a refusal for an older one.
        { body: { ...values, limit: amount, seenLimit: limit }, idempotencyKey },
        {
          onSuccess: ({ proposed }) => {
            const sum = `${currency} ${formatAmount(toMinor(amount))}`;
            const said = proposed
              ? `${sum} waits for another officer to confirm it`
              : `${business.name} may use ${sum}`;
            notify(notices.limitSet(said));
            onClose();
          },
          onError: refuse,
        },
      );
    },
    (errors) => focusFirstInvalid(form, fields, errors),
  );
  return { form, send, refusal, sending: setting.isPending };
}

/** The form takes the place of the button that opened it, and the focus with it. */
function focusFirst(form: HTMLFormElement | null): void {
  form?.querySelector('input')?.focus();
}

/** Sets a client's limit in one currency, with a reason; begins with what the client has earned. */
export function SetLimitForm(props: SetLimitFormProps) {
  const { form, send, refusal, sending } = useLimitForm(props);
  return (
    <form noValidate onSubmit={send} ref={focusFirst}>
      <Stack mt="sm">
        <MoneyInput
          label="New limit"
          required
          data-autofocus
          currency={props.limit.currency}
          description={
            props.limit.raiseRefusal === null ? (
              <>
                Above <Amount value={props.limit.highestAlone} currency={props.limit.currency} /> another officer must
                confirm it. The highest is <Amount value={props.limit.highest} />.
              </>
            ) : (
              'You are a new officer. You can lower this limit. Ask another officer to raise it.'
            )
          }
          {...form.getInputProps('limit')}
        />
        <TextArea label="Reason" withAsterisk maxLength={500} {...form.getInputProps('reason')} />
        {refusal !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {refusal}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose} disabled={sending}>
            Cancel
          </Button>
          <Button type="submit" loading={sending}>
            Set Limit
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
