import { Anchor, Collapse, Group, List, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconCircle } from '@tabler/icons-react';
import { useId } from 'react';
import { meterColor, requirementScore, requirements } from '#contract/accounts/password.ts';
import classes from './password-strength.module.css';

const BARS = [1, 2, 3, 4] as const;

/**
 * How strong a password is: 4 bars, green above a score of 80, yellow above 50, otherwise red
 * (docs/specification-coverage.md, 5).
 */
export function PasswordMeter({ password }: { readonly password: string }) {
  const score = requirementScore(password);
  const filled = BARS.filter((bar) => score >= (100 / BARS.length) * bar || (bar === 1 && password !== '')).length;
  return (
    <div className={classes.meter} data-color={meterColor(score)}>
      <VisuallyHidden>
        <meter aria-label="Password strength" min={0} max={100} value={Math.round(score)} />
      </VisuallyHidden>
      {BARS.map((bar) => (
        <span key={bar} className={classes.bar} data-filled={bar <= filled} />
      ))}
    </div>
  );
}

/** The rules for a good password, each marked as met or not; the list can be hidden. */
export function PasswordRequirements({ password }: { readonly password: string }) {
  const [opened, { toggle }] = useDisclosure(true);
  const listId = useId();
  return (
    <div>
      <Anchor
        component="button"
        type="button"
        size="sm"
        py="sm"
        aria-expanded={opened}
        aria-controls={listId}
        onClick={toggle}
      >
        {opened ? 'Hide requirements' : 'Show requirements'}
      </Anchor>
      <Collapse expanded={opened} id={listId}>
        <List listStyleType="none" spacing={4} size="sm">
          {requirements.map(({ label, met }) => (
            <Requirement key={label} label={label} met={met(password)} />
          ))}
        </List>
      </Collapse>
    </div>
  );
}

function Requirement({ label, met }: { readonly label: string; readonly met: boolean }) {
  const Icon = met ? IconCheck : IconCircle;
  return (
    <List.Item c={met ? 'var(--mantine-color-success)' : 'dimmed'}>
      <Group gap="xs" wrap="nowrap">
        <Icon size={16} stroke={2} aria-label={met ? 'Met:' : 'Not met:'} />
        <Text span inherit>
          {label}
        </Text>
      </Group>
    </List.Item>
  );
}
