import { Stack, Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type BuyerRequestRow, newBuyerForm } from '#contract/onboarding/schema.ts';
import { BusinessFields } from '#web/businesses/business-fields.tsx';
import { focusFirstInvalid } from '#web/ui/focus/focus-invalid.ts';
import { FormButtons } from '#web/ui/forms/form-buttons.tsx';
import { endingsOf } from './answer-endings.ts';
import { useAddBuyer } from './buyer-requests.api.ts';

interface AnswerProps {
  readonly request: BuyerRequestRow;
  readonly onClose: () => void;
}

/** Adds the requested buyer, or marks an existing business of that name as a buyer. */
export function AddBuyerForm({ request, onClose }: AnswerProps) {
  const { match } = request;
  if (match === null) return <NewBuyer request={request} onClose={onClose} />;
  return <KnownBusiness request={request} match={match} onClose={onClose} />;
}

function canChoose({ business }: BuyerRequestRow): string {
  return `${business} can choose this buyer now`;
}

const fields = ['name', 'industryId', 'districtId', 'tin'] as const;

function NewBuyer({ request, onClose }: AnswerProps) {
  const adding = useAddBuyer(request.tag);
  const form = useForm({
    initialValues: { name: request.name, industryId: '', districtId: '', tin: '' },
    validate: schemaResolver(newBuyerForm),
  });
  const send = form.onSubmit(
    (values) => adding.mutate(values, endingsOf(form, fields, { done: canChoose(request), onClose })),
    (errors) => focusFirstInvalid(form, fields, errors),
  );
  return (
    <form onSubmit={send} noValidate>
      <Stack>
        <Text size="sm" c="dimmed">
          {request.business} can choose this buyer then. We tell {request.askedBy}.
        </Text>
        <BusinessFields form={form} />
        <FormButtons sending={adding.isPending} onCancel={onClose}>
          Add buyer
        </FormButtons>
      </Stack>
    </form>
  );
}

interface KnownProps extends AnswerProps {
  readonly match: NonNullable<BuyerRequestRow['match']>;
}

function KnownBusiness({ request, match, onClose }: KnownProps) {
  const adding = useAddBuyer(request.tag);
  const form = useForm({ initialValues: { businessId: String(match.id) } });
  const send = form.onSubmit((values) =>
    adding.mutate(values, endingsOf(form, [], { done: canChoose(request), onClose })),
  );
  const obstacle = match.isOwn
    ? `${request.name} is the business that asks. Refuse the request: nobody buys from themselves.`
    : match.active
      ? undefined
      : `${request.name} is closed. Open it in the list of businesses first.`;
  return (
    <form onSubmit={send}>
      <Stack>
        <Text>
          {obstacle ?? `${request.name} is on Kasente already. Offer it as a buyer and tell ${request.askedBy}?`}
        </Text>
        <FormButtons sending={adding.isPending} onCancel={onClose}>
          {obstacle === undefined ? 'Offer as buyer' : undefined}
        </FormButtons>
      </Stack>
    </form>
  );
}
