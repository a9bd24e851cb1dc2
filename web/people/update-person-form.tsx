import { Stack, Text, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { type PersonRow, updatePersonBody } from '#contract/people/schema.ts';
import { notices } from '#web/notices.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import type { Lookup } from '#web/platform/api/lookups.ts';
import { useSessionUser } from '#web/platform/session/session.ts';
import { focusFirstInvalid } from '#web/ui/focus/focus-invalid.ts';
import { FormButtons } from '#web/ui/forms/form-buttons.tsx';
import { FormModal } from '#web/ui/forms/form-modal.tsx';
import { LookupSelect } from '#web/ui/forms/lookup-select.tsx';
import { Columns } from '#web/ui/layout/columns.tsx';
import { type LatePart, openLate } from '#web/ui/loading/late.tsx';
import { givenName } from '#web/ui/text/person-name.ts';
import { endingsOf } from './change-endings.ts';
import { useClients, useUpdatePerson } from './people.api.ts';
import { StatedBusiness } from './stated-business.tsx';

/** The form for a new business, filled in as far as known. */
export type NewBusinessForm = LatePart<{
  readonly prefill: ReturnType<typeof prefillOf>;
  readonly onClose: () => void;
  readonly onSaved: (businessId: number) => void;
}>;

interface UpdatePersonFormProps {
  readonly person: PersonRow;
  readonly onClose: () => void;
  readonly NewBusiness: NewBusinessForm;
}

const fields = ['firstName', 'lastName', 'designation', 'phone', 'email', 'businessId'] as const;

/**
 * The form's state and how it is saved. A refusal is shown in a toast (docs/specification-coverage.md, 8) and marks its
 * fields.
 */
function usePersonForm({ person, onClose }: Pick<UpdatePersonFormProps, 'person' | 'onClose'>) {
  const update = useUpdatePerson();
  const form = useForm({
    initialValues: {
      firstName: givenName(person.first_name),
      lastName: givenName(person.last_name),
      designation: givenName(person.designation),
      phone: person.phone ?? '',
      email: person.email ?? '',
      businessId: String(person.business_id ?? ''),
      tag: person.tag,
      seenStatus: person.status,
    },
    validate: schemaResolver(updatePersonBody),
  });
  const { onSuccess, onError } = endingsOf(notices.personUpdated, onClose);
  const refuse = (error: Error): void => {
    const refused = error instanceof ApiFailure ? { ...error.fields } : {};
    form.setErrors(refused);
    focusFirstInvalid(form, fields, refused);
    onError(error);
  };
  const save = form.onSubmit(
    (values) => update.mutate(values, { onSuccess, onError: refuse }),
    (errors) => focusFirstInvalid(form, fields, errors),
  );
  return { form, save, isSaving: update.isPending };
}

/**
 * The Update Person form (docs/specification-coverage.md, 2 and 5). A business that does not exist yet can be added on
 * the way.
 */
export function UpdatePersonForm({ person, onClose, NewBusiness }: UpdatePersonFormProps) {
  const { form, save, isSaving } = usePersonForm({ person, onClose });
  const [isAdding, adding] = useDisclosure(false);
  const activates = person.status !== 'Active';
  return (
    <>
      <form onSubmit={save} noValidate>
        <Stack>
          {activates && (
            <Text size="sm" c="dimmed">
              Choose a business to activate this account. We'll {person.username.includes('@') ? 'email' : 'text'}{' '}
              {person.username}.
            </Text>
          )}
          <PersonFields person={person} form={form} />
          {person.stated !== null && (
            <StatedBusiness stated={person.stated} onAdd={() => openLate(NewBusiness, adding.open)} />
          )}
          <FormButtons sending={isSaving} onCancel={onClose}>
            {activates ? 'Activate' : 'Update'}
          </FormButtons>
        </Stack>
      </form>
      {person.stated !== null && (
        <FormModal opened={isAdding} onClose={adding.close} title="Add Business">
          <NewBusiness
            prefill={prefillOf(person.stated)}
            onClose={adding.close}
            onSaved={(id) => form.setFieldValue('businessId', String(id))}
          />
        </FormModal>
      )}
    </>
  );
}

function prefillOf({ business, tin, industryId, districtId }: NonNullable<PersonRow['stated']>) {
  const id = (known: number | null) => (known === null ? '' : String(known));
  return { name: business, tin: tin ?? '', industryId: id(industryId), districtId: id(districtId) };
}

function PersonFields({
  person,
  form,
}: Pick<ReturnType<typeof usePersonForm>, 'form'> & { readonly person: PersonRow }) {
  const businesses = useBusinessesFor(person);
  const isSelf = useSessionUser()?.tag === person.tag;
  const text = (field: (typeof fields)[number]) => ({ autoComplete: 'off', ...form.getInputProps(field) });
  return (
    <>
      <Columns gap="md">
        <TextInput label="First name" withAsterisk data-autofocus {...text('firstName')} />
        <TextInput label="Last name" withAsterisk {...text('lastName')} />
      </Columns>
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
    </>
  );
}

/** Every client on offer, plus the person's own business, which may have been withdrawn from the offer since. */
function useBusinessesFor({ business_id: id, business: name }: PersonRow): Lookup {
  const { data, ...query } = useClients();
  const isMissing = id !== null && name !== null && data?.every((option) => option.id !== id) === true;
  return { ...query, data: isMissing ? [{ id, name }, ...data] : data };
}

/** The contact, except the one used to log in, which is read-only. */
function unlessUsername(person: PersonRow, contact: string | null) {
  return contact === person.username ? fixedFor('Used to log in, so it cannot change') : {};
}

/** A read-only field that shows its value and why it cannot be changed here. */
function fixedFor(description: string) {
  return { readOnly: true, variant: 'filled', description } as const;
}
