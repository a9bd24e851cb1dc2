import { Stack } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { type BusinessLimit, setLimitBody } from '#contract/limits/schema.ts';
import { formatAmount, toMinor } from '#contract/money.ts';
import { notices } from '#web/notices.ts';
import { useDialogForm } from '#web/ui/forms/action-dialog.tsx';
import { FormButtons } from '#web/ui/forms/form-buttons.tsx';
import { Refusal } from '#web/ui/forms/form-modal.tsx';
import { MoneyInput } from '#web/ui/forms/money-input.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';
import { numberOf, type TypedAmount } from '#web/ui/forms/typed-amount.ts';
import { Amount } from '#web/ui/text/amount.tsx';
import { useSetLimit } from './limits.api.ts';

interface SetLimitFormProps {
  readonly business: { readonly tag: string; readonly name: string };
  readonly limit: BusinessLimit;
  readonly onClose: () => void;
}

function useLimitForm({ business, limit: { currencyId, currency, limit, growth }, onClose }: SetLimitFormProps) {
  const first: TypedAmount = growth?.earned === true ? growth.next : limit;
  return useDialogForm({
    initialValues: { currencyId, limit: first, reason: '' },
    onClose,
    validate: schemaResolver(setLimitBody),
    sender: useSetLimit(business.tag),
    // The limit shown above the form now, also after a refusal because of an older one.
    toSend: (values, idempotencyKey) => ({
      body: { ...values, limit: numberOf(values.limit), seenLimit: limit },
      idempotencyKey,
    }),
    notice: ({ proposed }, values) => {
      const sum = `${currency} ${formatAmount(toMinor(numberOf(values.limit)))}`;
      return notices.limitSet(
        proposed ? `${sum} waits for another officer to confirm it` : `The limit of ${business.name} is ${sum}`,
      );
    },
  });
}

/** The form replaces the button that opened it and takes the focus. */
function focusFirst(form: HTMLFormElement | null): void {
  form?.querySelector('input')?.focus();
}

/** Sets a client's limit in one currency, with a reason; starts with the earned limit. */
export function SetLimitForm(props: SetLimitFormProps) {
  const { form, dialog } = useLimitForm(props);
  const { onSubmit, sending, refusal } = dialog;
  return (
    <form noValidate onSubmit={onSubmit} ref={focusFirst}>
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
        <Refusal>{refusal}</Refusal>
        <FormButtons sending={sending} onCancel={props.onClose}>
          Set Limit
        </FormButtons>
      </Stack>
    </form>
  );
}
