import { createContext, use } from 'react'

/** Ids and states that a Field passes to its control. */
export interface FieldBinding {
  id: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: true | undefined
  required?: boolean | undefined
}

export const FieldContext = createContext<FieldBinding | null>(null)

/** Returns the ids and states from the surrounding Field; the control's props override them. */
export function useFieldBinding(): Partial<FieldBinding> {
  return use(FieldContext) ?? {}
}
