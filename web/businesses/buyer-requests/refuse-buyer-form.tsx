import { Stack, Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type BuyerRequestRow, refuseBuyerForm } from '#contract/onboarding/schema.ts';
import { focusFirstInvalid } from '#web/ui/focus/focus-invalid.ts';
import { FormButtons } from '#web/ui/forms/form-buttons.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';
import { endingsOf } from './answer-endings.ts';
import { useRefuseBuyer } from './buyer-requests.api.ts';

const fields = ['reason'] as const;

interface RefuseBuyerFormProps {
  readonly request: BuyerRequestRow;
  readonly onClose: () => void;
}

/** Refuses a buyer with a reason, which the client reads as written. */
export function RefuseBuyerForm({ request, onClose }: RefuseBuyerFormProps) {
  const refusing = useRefuseBuyer(request.tag);
  const form = useForm({ initialValues: { reason: '' }, validate: schemaResolver(refuseBuyerForm) });
  const send = form.onSubmit(
    (values) => refusing.mutate(values, endingsOf(form, fields, { done: `${request.askedBy} is told why`, onClose })),
    (errors) => focusFirstInvalid(form, fields, errors),
  );
  return (
    <form onSubmit={send} noValidate>
      <Stack>
        <Text>
          {request.business} asked for <b>{request.name}</b>.
        </Text>
        <TextArea
          label="Reason"
          description={`We send it to ${request.askedBy}`}
          withAsterisk
          maxLength={300}
          data-autofocus
          {...form.getInputProps('reason')}
        />
        <FormButtons sending={refusing.isPending} onCancel={onClose} color="red">
          Refuse
        </FormButtons>
      </Stack>
    </form>
  );
}
