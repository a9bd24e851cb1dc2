import { Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type PersonRow, updatePersonBody } from '#contract/people/schema.ts';
import { notices, notify } from '#web/notices.ts';
import { useAllBusinesses, useUpdatePerson } from '#web/people/people.api.ts';
import { givenName } from '#web/people/person-name.ts';
import { ApiFailure } from '#web/platform/api.ts';
import type { Lookup } from '#web/platform/lookups.ts';
import { useSessionUser } from '#web/platform/session.ts';
import { focusFirstInvalid } from '#web/ui/focus-invalid.ts';
import { LookupSelect } from '#web/ui/lookup-select.tsx';

interface UpdatePersonFormProps {
  readonly person: PersonRow;
  readonly onClose: () => void;
}

const fields = ['firstName', 'lastName', 'designation', 'phone', 'email', 'businessId'] as const;

/** The form, and how it is saved; what the server refuses is a toast (specification, section 8) and marks its fields. */
function usePersonForm({ person, onClose }: UpdatePersonFormProps) {
  const update = useUpdatePerson();
  const form = useForm({
    initialValues: {
      firstName: givenName(person.first_name),
      lastName: givenName(person.last_name),
      designation: givenName(person.designation),
      phone: person.phone ?? '',
      email: person.email ?? '',
      businessId: person.business_id === null ? '' : String(person.business_id),
      tag: person.tag,
      seenStatus: person.status,
    },
    validate: schemaResolver(updatePersonBody),
  });
  const accept = (): void => {
    notify(notices.personUpdated);
    onClose();
  };
  const refuse = (error: Error): void => {
    const refused = error instanceof ApiFailure ? { ...error.fields } : {};
    form.setErrors(refused);
    focusFirstInvalid(form, fields, refused);
    notify(notices.personUpdateFailed(error.message));
  };
  const save = form.onSubmit(
    (values) => update.mutate(values, { onSuccess: accept, onError: refuse }),
    (errors) => focusFirstInvalid(form, fields, errors),
  );
  return { form, save, isSaving: update.isPending };
}

/** The Update Person form (specification, sections 2 and 5). */
export function UpdatePersonForm(props: UpdatePersonFormProps) {
  const { person, onClose } = props;
  const { form, save, isSaving } = usePersonForm(props);
  const businesses = useBusinessesFor(person);
  const isSelf = useSessionUser()?.tag === person.tag;
  const activates = person.status !== 'Active';
  const text = (field: (typeof fields)[number]) => ({ autoComplete: 'off', ...form.getInputProps(field) });
  return (
    <form onSubmit={save} noValidate>
      <Stack>
        {activates && (
          <Text size="sm" c="dimmed">
            With a business the account becomes active, and we tell {person.username} so.
          </Text>
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label="First name" withAsterisk data-autofocus {...text('firstName')} />
          <TextInput label="Last name" withAsterisk {...text('lastName')} />
        </SimpleGrid>
        <TextInput label="Designation" {...text('designation')} />
        <TextInput label="Phone" inputMode="tel" {...unlessUsername(person, person.phone)} {...text('phone')} />
        <TextInput label="Email" inputMode="email" {...unlessUsername(person, person.email)} {...text('email')} />
        <LookupSelect
          label="Business"
          lookup={businesses}
          searchable
          withAsterisk
          placeholder="Search for the business"
          {...(isSelf ? fixedFor('Another administrator changes your own business') : {})}
          {...form.getInputProps('businessId')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isSaving}>
            Cancel
          </Button>
          <Button type="submit" loading={isSaving}>
            {activates ? 'Activate' : 'Update'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Every business that is offered, and the person's own, which may have been closed to others since. */
function useBusinessesFor({ business_id: id, business: name }: PersonRow): Lookup {
  const { data, ...query } = useAllBusinesses();
  const isMissing = id !== null && name !== null && data?.every((option) => option.id !== id) === true;
  return { ...query, data: isMissing ? [{ id, name }, ...data] : data };
}

/** What somebody logs in with is read-only. */
function unlessUsername(person: PersonRow, contact: string | null) {
  return contact === person.username ? fixedFor('Used to log in, so it stays as it is') : {};
}

/** A field that shows what it holds and why that cannot be changed here. */
function fixedFor(description: string) {
  return { readOnly: true, variant: 'filled', description } as const;
}
