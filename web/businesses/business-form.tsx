import { Button, Checkbox, Group, Stack, Switch, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type BusinessRow, businessForm, businessKinds } from '#contract/businesses/schema.ts';
import { useSaveBusiness } from '#web/businesses/businesses.api.ts';
import { notices, notify } from '#web/notices.ts';
import { ApiFailure } from '#web/platform/api.ts';
import { useDistricts, useSectors } from '#web/platform/lookups.ts';
import { focusFirstInvalid } from '#web/ui/focus-invalid.ts';
import { LookupSelect } from '#web/ui/lookup-select.tsx';

interface BusinessFormProps {
  /** Absent for a new one. */
  readonly business: BusinessRow | undefined;
  readonly onClose: () => void;
}

const fields = ['name', 'industryId', 'districtId', 'isClient', 'isBuyer', 'active'] as const;

const kinds = {
  client: { label: 'Client', description: 'Sells to others and is financed by Kasente' },
  buyer: { label: 'Buyer', description: 'Owes the invoices and pays them' },
} as const;

function initialValues(business: BusinessRow | undefined) {
  return {
    name: business?.name ?? '',
    industryId: business === undefined ? '' : String(business.industryId),
    districtId: business === undefined ? '' : String(business.districtId),
    isClient: business?.isClient ?? true,
    isBuyer: business?.isBuyer ?? false,
    active: business?.active ?? true,
  };
}

type Values = ReturnType<typeof initialValues>;

/** The form, and how it is saved. What the server refuses stands beside its field; what has none is a toast. */
function useBusinessForm({ business, onClose }: BusinessFormProps) {
  const saving = useSaveBusiness();
  const form = useForm({ initialValues: initialValues(business), validate: schemaResolver(businessForm) });
  const refuse = (error: Error): void => {
    const refused = error instanceof ApiFailure ? { ...error.fields } : {};
    form.setErrors(refused);
    if (fields.some((field) => refused[field] !== undefined)) focusFirstInvalid(form, fields, refused);
    else notify(notices.actionFailed(error.message));
  };
  const accept = (): void => {
    notify(notices.businessSaved);
    onClose();
  };
  const send = (values: Values): void =>
    saving.mutate({ business, form: values }, { onSuccess: accept, onError: refuse });
  const save = form.onSubmit(send, (errors) => focusFirstInvalid(form, fields, errors));
  return { form, save, isSaving: saving.isPending };
}

/** Adds or edits a business (decisions, 'Businesses'). */
export function BusinessForm(props: BusinessFormProps) {
  const sectors = useSectors();
  const districts = useDistricts();
  const { form, save, isSaving } = useBusinessForm(props);
  return (
    <form onSubmit={save} noValidate>
      <Stack>
        <TextInput label="Name" withAsterisk autoComplete="off" data-autofocus {...form.getInputProps('name')} />
        <LookupSelect label="Sector" lookup={sectors} searchable withAsterisk {...form.getInputProps('industryId')} />
        <LookupSelect
          label="District/Location"
          lookup={districts}
          searchable
          withAsterisk
          {...form.getInputProps('districtId')}
        />
        <KindBoxes form={form} />
        <Switch
          size="md"
          label="Active"
          description="Only active businesses can be chosen in forms"
          {...form.getInputProps('active', { type: 'checkbox' })}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose} disabled={isSaving}>
            Cancel
          </Button>
          <Button type="submit" loading={isSaving}>
            Save Business
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** What the business is to Kasente: a client, a buyer, or both. */
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
      <Stack my={8} gap="xs">
        {businessKinds.map((kind) => (
          <Checkbox key={kind} value={kind} {...kinds[kind]} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
