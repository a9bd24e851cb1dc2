import { Anchor, Text, TextInput, type TextInputProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useId } from 'react';
import phone from '#web/ui/layout/phone.module.css';

/** One field for a phone number or an e-mail address, with keyboard and autofill to match. */
export function UsernameInput(props: TextInputProps) {
  return (
    <TextInput
      autoComplete="username"
      inputMode="email"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...props}
    />
  );
}

/** Like `UsernameInput`, with a toggle that shows an example of each (docs/specification-coverage.md, 2). */
export function UsernameInputWithExamples(props: TextInputProps) {
  const [opened, { toggle }] = useDisclosure(false);
  const examplesId = useId();
  return (
    <div>
      <UsernameInput {...props} />
      <Anchor
        component="button"
        type="button"
        size="sm"
        className={phone.thumb}
        aria-expanded={opened}
        aria-controls={examplesId}
        onClick={toggle}
      >
        {opened ? 'Hide format examples' : 'Show format examples'}
      </Anchor>
      <Text id={examplesId} size="sm" c="dimmed" hidden={!opened}>
        Phone: 0772123456 or +256 772 123 456
        <br />
        Email: name@example.com
      </Text>
    </div>
  );
}
