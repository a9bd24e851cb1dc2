import { Checkbox, NumberInput, Stack, Switch } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type BusinessRow, businessForm, businessKinds } from '#contract/businesses/schema.ts';
import { notices, notify } from '#web/notices.ts';
import { focusFirstInvalid } from '#web/ui/focus/focus-invalid.ts';
import { FormButtons } from '#web/ui/forms/form-buttons.tsx';
import { showRefusal } from '#web/ui/forms/show-refusal.ts';
import { BusinessFields } from './business-fields.tsx';
import { useSaveBusiness } from './businesses.api.ts';

interface BusinessFormProps {
  /** Absent for a new business. */
  readonly business?: Omit<BusinessRow, 'total'> | undefined;
  /** The prefilled values of a new business. */
  readonly prefill?: Readonly<typeof nothing>;
  readonly onClose: () => void;
  /** Called before the form closes. */
  readonly onSaved?: (businessId: number) => void;
}

/** The fields in display order. */
const fields = ['name', 'industryId', 'districtId', 'tin', 'isClient', 'isBuyer', 'usualTermsDays', 'active'] as const;

const kinds = {
  client: { label: 'Client', description: 'Sells to others and is financed by Kasente' },
  buyer: { label: 'Buyer', description: 'Owes the invoices and pays them' },
} as const;

const nothing = { name: '', tin: '', industryId: '', districtId: '' };

function initialValues({ business, prefill = nothing }: BusinessFormProps) {
  return {
    name: business?.name ?? prefill.name,
    tin: business === undefined ? prefill.tin : (business.tin ?? ''),
    industryId: String(business?.industryId ?? prefill.industryId),
    districtId: String(business?.districtId ?? prefill.districtId),
    isClient: business?.isClient ?? true,
    isBuyer: business?.isBuyer ?? false,
    usualTermsDays: business?.usualTermsDays ?? ('' as const),
    withholdsTax: business?.withholdsTax ?? false,
    withholdsVat: business?.withholdsVat ?? false,
    active: business?.active ?? true,
  };
}

type Values = ReturnType<typeof initialValues>;

/** The form's state and how it is saved. */
function useBusinessForm(props: BusinessFormProps) {
  const { business, onClose, onSaved } = props;
  const saving = useSaveBusiness();
  const form = useForm({ initialValues: initialValues(props), validate: schemaResolver(businessForm) });
  const refuse = (error: Error): void => showRefusal(form, fields, error);
  const accept = ({ data }: { readonly data: { readonly id: number } }): void => {
    notify(notices.businessSaved);
    onSaved?.(data.id);
    onClose();
  };
  const send = (values: Values): void =>
    saving.mutate({ business, form: values }, { onSuccess: accept, onError: refuse });
  const save = form.onSubmit(send, (errors) => focusFirstInvalid(form, fields, errors));
  return { form, save, isSaving: saving.isPending };
}

/** Adds or edits a business (docs/decisions/0041). */
export function BusinessForm(props: BusinessFormProps) {
  const { form, save, isSaving } = useBusinessForm(props);
  return (
    <form onSubmit={save} noValidate>
      <Stack>
        <BusinessFields form={form} />
        <KindBoxes form={form} />
        {form.values.isBuyer && <BuyerTermsFields form={form} />}
        <Switch
          size="md"
          label="Active"
          description="Only active businesses can be chosen in forms"
          {...form.getInputProps('active', { type: 'checkbox' })}
        />
        <FormButtons sending={isSaving} onCancel={props.onClose}>
          Save Business
        </FormButtons>
      </Stack>
    </form>
  );
}

/** How a buyer pays (docs/decisions/0043-buyer-terms.md). */
function BuyerTermsFields({ form }: Pick<ReturnType<typeof useBusinessForm>, 'form'>) {
  return (
    <>
      <NumberInput
        label="Usually pays after"
        description="Days from the date of the invoice, where you know it"
        suffix=" days"
        allowDecimal={false}
        allowNegative={false}
        hideControls
        {...form.getInputProps('usualTermsDays')}
      />
      <Checkbox
        size="md"
        label="Withholds income tax"
        description="A designated withholding agent"
        {...form.getInputProps('withholdsTax', { type: 'checkbox' })}
      />
      <Checkbox
        size="md"
        label="Withholds VAT"
        description="A designated VAT-withholding agent"
        {...form.getInputProps('withholdsVat', { type: 'checkbox' })}
      />
    </>
  );
}

/** The kinds of a business: a client, a buyer, or both. */
function KindBoxes({ form }: Pick<ReturnType<typeof useBusinessForm>, 'form'>) {
  const { isClient, isBuyer } = form.values;
  return (
    <Checkbox.Group
      size="md"
      label="Kind"
      withAsterisk
      value={[...(isClient ? ['client'] : []), ...(isBuyer ? ['buyer'] : [])]}
      onChange={(chosen) => form.setValues({ isClient: chosen.includes('client'), isBuyer: chosen.includes('buyer') })}
      error={form.errors.isClient ?? form.errors.isBuyer}
    >
      <Stack my="xs" gap="xs">
        {businessKinds.map((kind) => (
          <Checkbox key={kind} value={kind} {...kinds[kind]} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
