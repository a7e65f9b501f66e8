import { MESSAGE_MAX_LENGTH } from '@tizara/contract'
import type { Ref } from 'react'
import { toApiError } from '../../../lib/api.ts'

interface FieldProps {
  id: string
  label: string
  placeholder: string
  value: string
  onChange: (text: string) => void
  field: Ref<HTMLTextAreaElement>
}

/** The text field, styled by its tab. */
export function Field({ id, label, placeholder, value, onChange, field }: FieldProps) {
  return (
    <>
      <label className="sr-only" htmlFor={id}>
        {label}
      </label>
      <textarea
        ref={field}
        id={id}
        className="tx"
        rows={3}
        maxLength={MESSAGE_MAX_LENGTH}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </>
  )
}

/** Returns the first error that the server reports. */
export const errorTextOf = (error: unknown): string => {
  const { errorMessages, message } = toApiError(error)
  return errorMessages[0]?.message ?? message
}
