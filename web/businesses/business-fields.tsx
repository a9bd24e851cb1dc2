import { TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { useDistricts, useSectors } from '#web/platform/api/lookups.ts';
import { LookupSelect } from '#web/ui/forms/lookup-select.tsx';

interface BusinessFieldsProps {
  /** A form with these fields. */
  readonly form: {
    readonly getInputProps: (field: 'name' | 'industryId' | 'districtId' | 'tin') => GetInputPropsReturnType;
  };
}

/** The fields that every business has, client or buyer. */
export function BusinessFields({ form }: BusinessFieldsProps) {
  const sectors = useSectors();
  const districts = useDistricts();
  return (
    <>
      <TextInput label="Name" withAsterisk autoComplete="off" data-autofocus {...form.getInputProps('name')} />
      <LookupSelect label="Sector" lookup={sectors} searchable withAsterisk {...form.getInputProps('industryId')} />
      <LookupSelect
        label="District/Location"
        lookup={districts}
        searchable
        withAsterisk
        {...form.getInputProps('districtId')}
      />
      <TextInput
        label="TIN"
        description="10 digits, or the NIN or URSB number, where you know it"
        autoComplete="off"
        {...form.getInputProps('tin')}
      />
    </>
  );
}
