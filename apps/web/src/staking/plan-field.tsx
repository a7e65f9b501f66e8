import type { StakePlan } from '@tizara/contract/staking'
import { t } from '@tizara/languages'
import { formatUnits } from '@tizara/money'
import { Field } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'

export interface PlanFieldProps {
  /** `undefined` while loading. */
  plans: readonly StakePlan[] | undefined
  value: string
  onChange: (id: string) => void
  error?: string | undefined
  disabled?: boolean | undefined
  /** First option, which selects nothing. */
  placeholder?: string | undefined
  /** Marks the field as required. */
  required?: boolean | undefined
  labelHidden?: boolean | undefined
}

export function PlanField({
  plans,
  value,
  onChange,
  error,
  disabled,
  placeholder = t('Select plan'),
  required,
  labelHidden,
}: PlanFieldProps) {
  return (
    <Field
      label={t('Plan')}
      labelHidden={labelHidden}
      required={required}
      error={error}
      hint={plans?.length === 0 ? t('No plan is open at the moment.') : undefined}
    >
      <Select
        name="planId"
        value={value}
        disabled={disabled === true || plans === undefined}
        placeholder={value === '' ? placeholder : undefined}
        onChange={(event) => onChange(event.target.value)}
        options={plans?.map((plan) => ({
          value: plan.id,
          label: t('{planName}: {duration} days, {apy}%', { planName: plan.planName, duration: plan.duration, apy: formatUnits(plan.apy) }),
        }))}
      />
    </Field>
  )
}
