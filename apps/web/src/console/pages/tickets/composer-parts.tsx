import { MESSAGE_MAX_LENGTH } from '@tizara/contract'
import type { Ref } from 'react'

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
        className="block min-h-[66px] w-full resize-y border-0 bg-transparent px-3.5 py-2.5"
        rows={3}
        maxLength={MESSAGE_MAX_LENGTH}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </>
  )
}

/** Classes of the bar below the field. */
export const FIELD_BAR =
  'flex items-center gap-1.5 pt-1.5 pr-2 pb-2 pl-2.5 max-md:flex-wrap max-md:[&_button]:h-[46px] max-md:[&_button]:flex-1'
