import { useRef, useState } from 'react'
import type { ChangeEvent, FocusEvent, FormEvent } from 'react'

type FieldErrors<V> = Partial<Record<keyof V & string, string>>

/** Errors after a failed submit, per field or above the form. */
export interface FormFailure<V> {
  form?: string | undefined
  fields?: FieldErrors<V> | undefined
}

export interface FormOptions<V extends object> {
  initial: V
  /** Returns field name → error text; an empty record passes. */
  validate?: ((values: V) => FieldErrors<V>) | undefined
  /** Never runs twice at once. Return a failure to show it; the entered values stay. */
  onSubmit: (values: V) => Promise<FormFailure<V> | void> | FormFailure<V> | void
  /** Converts an error from `onSubmit` into a failure; without it the error is rethrown. */
  onError?: ((error: unknown) => FormFailure<V>) | undefined
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Manages a native form: values, errors, focus on the first invalid field, and one submit at a time. */
export function useForm<V extends object>({ initial, validate, onSubmit, onError }: FormOptions<V>) {
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<FieldErrors<V>>({})
  const [error, setError] = useState<string>()
  const [pending, setPending] = useState(false)
  const latest = useRef(values)
  const running = useRef(false)
  const wasSubmitted = useRef(false)
  const form = useRef<HTMLFormElement>(null)

  /** Focuses the first control in page order with an error. */
  function focusFirst(invalid: FieldErrors<V>): void {
    // Waits for the render, so that the control already references its error text.
    requestAnimationFrame(() => {
      for (const element of form.current?.elements ?? []) {
        const control = element as Control
        if (control.name && invalid[control.name as keyof V & string]) return control.focus()
      }
    })
  }

  function fail(failure: FormFailure<V>): void {
    setError(failure.form)
    if (failure.fields) {
      setErrors(failure.fields)
      focusFirst(failure.fields)
    }
  }

  /** Sets a value. Revalidates it after the first submit or if the field already has an error. */
  function set<K extends keyof V & string>(name: K, value: V[K]): void {
    latest.current = { ...latest.current, [name]: value }
    setValues(latest.current)
    if (wasSubmitted.current || errors[name]) {
      const text = validate?.(latest.current)[name]
      setErrors(({ [name]: _old, ...others }) => (text ? { ...others, [name]: text } : others) as FieldErrors<V>)
    }
  }

  async function submit(event?: FormEvent<HTMLFormElement>): Promise<void> {
    event?.preventDefault()
    if (running.current) return
    wasSubmitted.current = true
    const invalid = validate?.(latest.current) ?? {}
    setErrors(invalid)
    setError(undefined)
    if (Object.values(invalid).some(Boolean)) return focusFirst(invalid)
    running.current = true
    setPending(true)
    try {
      const failure = await onSubmit(latest.current)
      if (failure) fail(failure)
    } catch (thrown) {
      if (!onError) throw thrown
      fail(onError(thrown))
    } finally {
      running.current = false
      setPending(false)
    }
  }

  return {
    values,
    errors,
    error,
    pending,
    set,
    submit,
    setError,
    setErrors: (next: FieldErrors<V>) => fail({ fields: next }),
    /** Resets to the initial or passed values. */
    reset: (next: V = initial) => {
      latest.current = next
      wasSubmitted.current = false
      setValues(next)
      setErrors({})
      setError(undefined)
    },
    /** `<form {...form.props}>` */
    props: { ref: form, noValidate: true, onSubmit: (event: FormEvent<HTMLFormElement>) => void submit(event) },
    /** `<Input {...form.field('email')} />` */
    field: <K extends keyof V & string>(name: K) => ({
      name,
      value: values[name] as string,
      onChange: (event: ChangeEvent<Control>) => set(name, event.target.value as V[K]),
      onBlur: (event: FocusEvent<Control>) => {
        // Validates a filled field on blur. Skips it when focus moves to the submit button, because new error text would move the button.
        const next = event.relatedTarget
        const submits = next instanceof HTMLButtonElement && next.type === 'submit' && next.form === form.current
        if (event.target.value && !submits) {
          const text = validate?.(latest.current)[name]
          if (text) setErrors((old) => ({ ...old, [name]: text }))
        }
      },
    }),
    /** `<Checkbox {...form.check('terms')} />` */
    check: <K extends keyof V & string>(name: K) => ({
      name,
      checked: Boolean(values[name]),
      onChange: (event: ChangeEvent<HTMLInputElement>) => set(name, event.target.checked as V[K]),
    }),
  }
}

export type Form<V extends object> = ReturnType<typeof useForm<V>>
