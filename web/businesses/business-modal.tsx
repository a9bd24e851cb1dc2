import { Button, Checkbox, Group, Modal, Stack, Switch, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type BusinessRow, businessForm } from '#contract/businesses/schema.ts';
import { useSaveBusiness } from '#web/businesses/businesses.api.ts';
import { notices, notify } from '#web/notices.ts';
import { ApiFailure } from '#web/platform/api.ts';
import { useDistricts, useSectors } from '#web/platform/lookups.ts';
import { LookupSelect } from '#web/ui/lookup-select.tsx';

interface BusinessModalProps {
  /** Absent for a new one. */
  readonly business: BusinessRow | undefined;
  readonly onClose: () => void;
}

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

/** Adds or edits a business. What the server refuses stands beside the field, or above the buttons. */
export function BusinessModal({ business, onClose }: BusinessModalProps) {
  const sectors = useSectors();
  const districts = useDistricts();
  const saveBusiness = useSaveBusiness();
  const form = useForm({
    initialValues: initialValues(business),
    validate: schemaResolver(businessForm),
    validateInputOnBlur: true,
  });
  const save = form.onSubmit((values) =>
    saveBusiness.mutate(
      { tag: business?.tag, form: values },
      {
        onSuccess: () => {
          notify(notices.businessSaved);
          onClose();
        },
        onError: (error) => {
          const fields = error instanceof ApiFailure ? error.fields : {};
          if (Object.keys(fields).length > 0) form.setErrors({ ...fields });
          else notify(notices.actionFailed(error.message));
        },
      },
    ),
  );
  const kind = (field: 'isClient' | 'isBuyer') => form.getInputProps(field, { type: 'checkbox' });
  return (
    <Modal
      opened
      onClose={onClose}
      title={business === undefined ? 'Add Business' : 'Edit Business'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={save} noValidate>
        <Stack>
          <TextInput label="Name" autoComplete="off" data-autofocus {...form.getInputProps('name')} />
          <LookupSelect label="Sector" lookup={sectors} searchable {...form.getInputProps('industryId')} />
          <LookupSelect
            label="District/Location"
            lookup={districts}
            searchable
            {...form.getInputProps('districtId')}
          />
          <Group gap="xl">
            <Checkbox label="Client" description="Is financed by Kasente" {...kind('isClient')} />
            <Checkbox label="Buyer" description="Pays the invoices" {...kind('isBuyer')} />
          </Group>
          <Switch
            label="Active"
            description="Only active businesses are offered in lists"
            {...form.getInputProps('active', { type: 'checkbox' })}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={saveBusiness.isPending}>
              Save Business
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
