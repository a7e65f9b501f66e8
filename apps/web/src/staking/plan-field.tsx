import type { StakePlan } from '@tizara/contract/staking'
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

export function PlanField({ plans, value, onChange, error, disabled, placeholder = 'Select plan', required, labelHidden }: PlanFieldProps) {
  return (
    <Field
      label="Plan"
      labelHidden={labelHidden}
      required={required}
      error={error}
      hint={plans?.length === 0 ? 'No plan is open at the moment.' : undefined}
    >
      <Select
        name="planId"
        value={value}
        disabled={disabled === true || plans === undefined}
        placeholder={value === '' ? placeholder : undefined}
        onChange={(event) => onChange(event.target.value)}
        options={plans?.map((plan) => ({ value: plan.id, label: `${plan.planName}: ${plan.duration} days, ${formatUnits(plan.apy)}%` }))}
      />
    </Field>
  )
}
