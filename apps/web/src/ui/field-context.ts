import { createContext, use } from 'react'

/** What a Field tells the control inside it. */
export interface FieldBinding {
  id: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: true | undefined
  required?: boolean | undefined
}

export const FieldContext = createContext<FieldBinding | null>(null)

/** The ids and states a control takes from the Field around it; its own props win. */
export function useFieldBinding(): Partial<FieldBinding> {
  return use(FieldContext) ?? {}
}
