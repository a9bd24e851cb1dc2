import { Button, Card, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import { onboardingEndpoints } from '#contract/onboarding/endpoints.ts';
import { type Activation, activationForm } from '#contract/onboarding/schema.ts';
import { usePost } from '#web/platform/api/use-change.ts';
import { focusFirstInvalid } from '#web/ui/focus/focus-invalid.ts';
import { showRefusal } from '#web/ui/forms/show-refusal.ts';
import { Columns } from '#web/ui/layout/columns.tsx';
import { useActivation } from './activation.api.ts';

const fields = ['firstName', 'lastName', 'businessName', 'tin'] as const;

interface DetailsProps {
  /** Called after they are saved, because the name that the device shows may have changed. */
  readonly onKept: () => void;
}

/** A form for the details of a person who waits for activation, and of their business; nothing for others. */
export function ActivationDetails({ onKept }: DetailsProps) {
  const activation = useActivation();
  if (activation.isError || activation.data?.waiting === false) return null;
  return (
    <Card component="section" aria-labelledby="details">
      <Title order={2} id="details" mb="xxs">
        Tell us about your business
      </Title>
      {activation.data === undefined ? (
        <Skeleton height={298} />
      ) : (
        <DetailsForm activation={activation.data} onKept={onKept} />
      )}
    </Card>
  );
}

function useDetailsForm(activation: Activation, onKept: () => void) {
  const saving = usePost(onboardingEndpoints.stateDetails);
  const [kept, keep] = useState(activation.businessName !== null);
  const form = useForm({
    initialValues: {
      firstName: activation.firstName ?? '',
      lastName: activation.lastName ?? '',
      businessName: activation.businessName ?? '',
      tin: activation.tin ?? '',
    },
    validate: schemaResolver(activationForm),
  });
  const accept = (): void => {
    keep(true);
    onKept();
  };
  const send = form.onSubmit(
    (values) => saving.mutate(values, { onSuccess: accept, onError: (error) => showRefusal(form, fields, error) }),
    (errors) => focusFirstInvalid(form, fields, errors),
  );
  return { form, send, kept, isSending: saving.isPending };
}

function DetailsForm({ activation, onKept }: DetailsProps & { readonly activation: Activation }) {
  const { form, send, kept, isSending } = useDetailsForm(activation, onKept);
  return (
    <form onSubmit={send} noValidate>
      <Stack gap="sm">
        <Text c="dimmed" role="status">
          {kept
            ? 'We have your details. You can change them until your account is active.'
            : 'Then we can activate your account without calling you first.'}
        </Text>
        <Columns gap="sm">
          <TextInput label="First name" autoComplete="given-name" {...form.getInputProps('firstName')} />
          <TextInput label="Last name" autoComplete="family-name" {...form.getInputProps('lastName')} />
          <TextInput label="Business name" autoComplete="organization" {...form.getInputProps('businessName')} />
          <TextInput
            label="TIN (optional)"
            placeholder="10 digits, or NIN or URSB number"
            autoComplete="off"
            {...form.getInputProps('tin')}
          />
        </Columns>
        <Group justify="flex-end">
          <Button type="submit" variant={kept ? 'default' : 'filled'} loading={isSending}>
            {kept ? 'Save changes' : 'Send details'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
