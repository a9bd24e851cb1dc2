import { Select } from '#web/ui/forms/select.tsx';
import phone from '#web/ui/layout/phone.module.css';

interface AccountChoiceProps<Code extends string> {
  readonly accounts: readonly { readonly value: Code; readonly label: string }[];
  readonly account: Code;
  readonly currency: string;
  readonly width: number;
  readonly onChange: (account: Code, currency: string) => void;
}

const currencies = ['UGX', 'USD'];

/** Chooses an account, and its currency. */
export function AccountChoice<Code extends string>(props: AccountChoiceProps<Code>) {
  const { accounts, account, currency, width, onChange } = props;
  return (
    <>
      <Select
        label="Account"
        data={accounts}
        value={account}
        allowDeselect={false}
        w={width}
        className={phone.wide}
        onChange={(next) => onChange(accounts.find(({ value }) => value === next)?.value ?? account, currency)}
      />
      <Select
        label="Currency"
        data={currencies}
        value={currency}
        allowDeselect={false}
        w={100}
        className={phone.wide}
        onChange={(next) => onChange(account, next ?? currency)}
      />
    </>
  );
}
