import type { PayoutRule } from '@tizara/contract/staff-payout-rules'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { sheetClass, sheetFootClass } from '../../../ui/sheet.ts'
import { useModal } from '../../../ui/use-modal.ts'
import { FormError } from '../../kit/form-error.tsx'
import { FieldOf } from '../catalogue/form-field.tsx'
import { ACTIONS, readRule, RULE_FIELDS, type RuleAction, textsOf } from './rule-form.ts'

export interface RuleDialogProps {
  /** The rule to edit; undefined for a new one. */
  rule: PayoutRule | undefined
  onSave: (rule: PayoutRule) => void
  onClose: () => void
}

/** Edits one rule of the draft. */
export function RuleDialog({ rule, onSave, onClose }: RuleDialogProps) {
  const id = useId()
  const bind = useModal({ open: true, onClose })
  const held = textsOf(rule)
  const [action, setAction] = useState<RuleAction>(rule?.action ?? 'approve')
  const [texts, setTexts] = useState(held)
  const [errorText, setErrorText] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const read = readRule(action, texts)
    if (typeof read === 'string') setErrorText(read)
    else onSave(read)
  }
  return (
    <dialog {...bind} className={sheetClass('sm')} aria-labelledby={`${id}-t`}>
      <form onSubmit={submit}>
        <div className="grid gap-3.5 px-4 pt-3 pb-4">
          <h2 id={`${id}-t`} className="text-base font-semi tracking-head">
            {rule === undefined ? 'Add a rule' : 'Edit the rule'}
          </h2>
          <div>
            <label className="mb-1 block font-medium font-semi" htmlFor={`${id}-a`}>
              What it does
            </label>
            <select id={`${id}-a`} className="control" value={action} onChange={(event) => setAction(event.target.value as RuleAction)}>
              {Object.entries(ACTIONS).map(([name, label]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          </div>
          {RULE_FIELDS[action].map((field) => (
            <FieldOf
              key={field.key}
              field={field}
              held={held[field.key] ?? ''}
              value={texts[field.key] ?? ''}
              onChange={(text) => {
                setTexts((before) => ({ ...before, [field.key]: text }))
                setErrorText(undefined)
              }}
            />
          ))}
          <FormError text={errorText} />
        </div>
        <div className={sheetFootClass}>
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" variant="primary">
            Save to the draft
          </Button>
        </div>
      </form>
    </dialog>
  )
}
