import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type PersonRow, updatePersonBody } from '#contract/people/schema.ts';
import { notices, notify } from '#web/notices.ts';
import { useAllBusinesses, useUpdatePerson } from '#web/people/people.api.ts';
import { ApiFailure } from '#web/platform/api.ts';
import { LookupSelect } from '#web/ui/lookup-select.tsx';

interface UpdatePersonModalProps {
  readonly person: PersonRow;
  readonly onClose: () => void;
}

/** 'N/A' for a name shows as empty (specification, section 2). */
function shown(name: string | null): string {
  return name === null || name === 'N/A' ? '' : name;
}

/** The Update Person modal. What somebody logs in with is read-only. */
export function UpdatePersonModal({ person, onClose }: UpdatePersonModalProps) {
  const businesses = useAllBusinesses();
  const update = useUpdatePerson();
  const form = useForm({
    initialValues: {
      firstName: shown(person.first_name),
      lastName: shown(person.last_name),
      designation: shown(person.designation),
      phone: person.phone ?? '',
      email: person.email ?? '',
      businessId: person.business_id === null ? '' : String(person.business_id),
      tag: person.tag,
    },
    validate: schemaResolver(updatePersonBody),
    validateInputOnBlur: true,
  });
  const save = form.onSubmit((values) =>
    update.mutate(values, {
      onSuccess: () => {
        notify(notices.personUpdated);
        onClose();
      },
      onError: (error) => {
        if (error instanceof ApiFailure) form.setErrors({ ...error.fields });
        notify(notices.personUpdateFailed(error.message));
      },
    }),
  );
  return (
    <Modal opened onClose={onClose} title="Update Person" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={save} noValidate>
        <Stack>
          <TextInput label="First name" autoComplete="off" data-autofocus {...form.getInputProps('firstName')} />
          <TextInput label="Last name" autoComplete="off" {...form.getInputProps('lastName')} />
          <TextInput label="Designation" autoComplete="off" {...form.getInputProps('designation')} />
          <TextInput
            label="Phone"
            inputMode="tel"
            autoComplete="off"
            readOnly={person.phone === person.username}
            {...form.getInputProps('phone')}
          />
          <TextInput
            label="Email"
            inputMode="email"
            autoComplete="off"
            readOnly={person.email === person.username}
            {...form.getInputProps('email')}
          />
          <LookupSelect
            label="Business"
            lookup={businesses}
            searchable
            withAsterisk
            placeholder="Search for the business"
            {...form.getInputProps('businessId')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={update.isPending}>
              {person.status === 'Active' ? 'Update' : 'Activate'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
