import { Anchor, Button, Group, Radio, Stack, Text, Title } from '@mantine/core';
import { type FormErrors, schemaResolver, type UseFormReturnType, useForm } from '@mantine/form';
import { accountEndpoints } from '#contract/accounts/endpoints.ts';
import { signupForm } from '#contract/accounts/schema.ts';
import { readUsername, type Username } from '#contract/accounts/username.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import { NewPasswordInput } from '#web/accounts/fields/new-password-input.tsx';
import { usernameField } from '#web/accounts/fields/username.ts';
import { UsernameInputWithExamples } from '#web/accounts/fields/username-input.tsx';
import { clearNotices, notices, notify } from '#web/notices.ts';
import { paths } from '#web/paths.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { useDistricts, useSectors } from '#web/platform/api/lookups.ts';
import { urlOf } from '#web/platform/api/question.ts';
import { usePost } from '#web/platform/api/use-change.ts';
import { useHydrated } from '#web/platform/hydration/use-hydrated.ts';
import { Link } from '#web/platform/router/router.tsx';
import { focusFirstInvalid } from '#web/ui/focus/focus-invalid.ts';
import { SubmitForm } from '#web/ui/forms/submit-form.tsx';
import phone from '#web/ui/layout/phone.module.css';
import { keepSentPin, type PinStage } from './pin-stage.ts';
import { PrerenderedSelect } from './prerendered-select.tsx';
import { keepSignupDraft, readSignupDraft, type SignupDraft } from './signup-draft.ts';

interface SignupValues extends SignupDraft {
  password: string;
}

const fields = ['phoneOrEmail', 'gender', 'industryId', 'districtId', 'password'] as const;
const nothing: SignupValues = { phoneOrEmail: '', gender: null, industryId: '', districtId: '', password: '' };

/** The sign-up form; validated on change and on blur (docs/specification-coverage.md, 5). */
export function SignupForm({ onSent }: { readonly onSent: (stage: PinStage) => void }) {
  // Prerendered until it is hydrated.
  const isHydrated = useHydrated();
  const form = useForm<SignupValues>({
    initialValues: { ...nothing, ...(isHydrated ? readSignupDraft() : {}) },
    onValuesChange: keepSignupDraft,
    validate: schemaResolver(signupForm, { sync: true }),
    validateInputOnChange: true,
    validateInputOnBlur: true,
  });
  const { register, submitting } = useSignup(form, onSent);
  const submit = form.onSubmit(register, (errors) => focusFirstInvalid(form, fields, errors));
  return (
    <Stack gap="md">
      <div>
        <Title order={1}>Join {PRODUCT_NAME}</Title>
        {/* Above the fields: an error that appears below would push it away from under the thumb. */}
        <Anchor component={Link} to={paths.login} className={phone.thumb}>
          Already on {PRODUCT_NAME}?
        </Anchor>
      </div>
      <SubmitForm
        onSubmit={submit}
        submitting={submitting}
        action={urlOf(accountEndpoints.register)}
        onTyped={(typed, left) => {
          form.setValues({ ...readSignupDraft(), ...typed });
          for (const field of fields) if (left.has(field)) form.validateField(field);
        }}
      >
        <Stack gap="md">
          <Fields form={form} />
          <Policies />
          <Button type="submit" fullWidth disabled={submitting}>
            Agree & Join
          </Button>
        </Stack>
      </SubmitForm>
    </Stack>
  );
}

/** Registers, and begins the PIN step. A refusal is shown in a toast (section 8) and on its fields. */
function useSignup(form: UseFormReturnType<SignupValues>, onSent: (stage: PinStage) => void) {
  const { mutate, isPending } = usePost(accountEndpoints.register);
  const register = (values: SignupValues) => {
    const { phoneOrEmail, ...rest } = signupForm.parse(values);
    const username = readUsername(phoneOrEmail);
    // The form has already checked that the username is readable; this only tells the compiler.
    if (username === undefined) return;
    mutate(
      { ...rest, ...usernameField(username) },
      {
        onSuccess: (reply) => {
          const sent = { userTag: reply.userTag, mode: reply.mode, sentTo: username.value };
          // Clears refusals of an earlier attempt.
          clearNotices();
          onSent(keepSentPin(sent, reply, Date.now()));
        },
        onError: (failure) => {
          const errors = fieldErrors(failure, username);
          notify(signupNotice(failure));
          form.setErrors(errors);
          focusFirstInvalid(form, fields, errors);
        },
      },
    );
  };
  return { register, submitting: isPending };
}

/** The server's messages by form field: phone and e-mail are one field here. */
function fieldErrors(failure: Error, { kind }: Username): FormErrors {
  if (!(failure instanceof ApiFailure)) return {};
  const { [kind]: contact, ...rest } = failure.fields;
  const all: FormErrors = { ...rest, ...(contact === undefined ? {} : { phoneOrEmail: contact }) };
  return Object.fromEntries(fields.flatMap((field) => (all[field] === undefined ? [] : [[field, all[field]]])));
}

function signupNotice(failure: Error) {
  const answered = failure instanceof ApiFailure && failure.code !== 'NETWORK';
  if (!answered) return notices.signupBroke;
  // A proxy's text is not a message from our server.
  return notices.signupFailed(typeof failure.answer.msg === 'string' ? failure.message : undefined);
}

function Fields({ form }: { readonly form: UseFormReturnType<SignupValues> }) {
  const sectors = useSectors();
  const districts = useDistricts();
  return (
    <>
      <UsernameInputWithExamples
        name="phoneOrEmail"
        label="Phone Number / Email"
        {...form.getInputProps('phoneOrEmail')}
      />
      <Radio.Group name="gender" label="Gender" {...form.getInputProps('gender')}>
        <Group gap="xl" my="xxs">
          <Radio value="male" label="Male" />
          <Radio value="female" label="Female" />
        </Group>
      </Radio.Group>
      <PrerenderedSelect
        name="industryId"
        label="Sector"
        lookup={sectors}
        placeholder="Choose one"
        {...form.getInputProps('industryId')}
      />
      <PrerenderedSelect
        name="districtId"
        label="District/Location"
        lookup={districts}
        placeholder="Type to search"
        searchable
        {...form.getInputProps('districtId')}
      />
      <NewPasswordInput name="password" label="Password" {...form.getInputProps('password')} />
    </>
  );
}

const policies = [
  { name: 'User Agreement', path: paths.userAgreement },
  { name: 'Privacy Policy', path: paths.privacyPolicy },
  { name: 'Cookie Policy', path: paths.cookiePolicy },
] as const;

/** What the person agrees to, each in a new tab (docs/specification-coverage.md, 2). */
function Policies() {
  return (
    <Text size="sm" c="dimmed">
      By joining you agree to the{' '}
      {policies.map(({ name, path }, index) => (
        <span key={path}>
          <Anchor href={path} target="_blank" rel="noopener" inherit underline="always">
            {name}
          </Anchor>
          {[', ', ' and ', '.'][index]}
        </span>
      ))}{' '}
      They open in a new tab.
    </Text>
  );
}
