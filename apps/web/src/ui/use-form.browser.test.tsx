import { expect, it, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { Button } from './button.tsx'
import { Field } from './field.tsx'
import { Input } from './input.tsx'
import { Notice } from './notice.tsx'
import { useForm } from './use-form.ts'
import type { FormFailure } from './use-form.ts'

interface Values {
  email: string
  code: string
}

function Page({ onSubmit }: { onSubmit: (values: Values) => Promise<FormFailure<Values> | void> }) {
  const form = useForm<Values>({
    initial: { email: 'a@b.c', code: '' },
    validate: (values) => ({ ...(!values.code && { code: 'Type the code.' }), ...(!values.email && { email: 'Type the email.' }) }),
    onSubmit,
    onError: () => ({ form: 'No answer.' }),
  })
  return (
    <form {...form.props}>
      {form.error && <Notice tone="danger">{form.error}</Notice>}
      <Field label="Email" error={form.errors.email}>
        <Input {...form.field('email')} />
      </Field>
      <Field label="Code" error={form.errors.code} hint="Six digits">
        <Input {...form.field('code')} />
      </Field>
      <Button type="submit" pending={form.pending}>
        Send
      </Button>
    </form>
  )
}

it('focuses the first invalid field, links the error to it and clears it while typing', async () => {
  const onSubmit = vi.fn(async () => undefined)
  const screen = await render(<Page onSubmit={onSubmit} />)
  await screen.getByRole('button').click()
  const code = screen.getByLabelText('Code')
  await expect.element(code).toHaveFocus()
  await expect.element(code).toHaveAttribute('aria-invalid', 'true')
  await expect.element(code).toHaveAccessibleDescription('Type the code. Six digits')
  expect(onSubmit).not.toHaveBeenCalled()
  await code.fill('1')
  await expect.element(code).toHaveAccessibleDescription('Six digits')
})

it('sends once on repeated clicks, and keeps the typed values after a failure', async () => {
  let answer: (failure: FormFailure<Values>) => void = () => undefined
  const onSubmit = vi.fn(() => new Promise<FormFailure<Values>>((resolve) => (answer = resolve)))
  const screen = await render(<Page onSubmit={onSubmit} />)
  await screen.getByLabelText('Code').fill('123456')
  const form = document.querySelector('form')
  await screen.getByRole('button').click()
  form?.requestSubmit()
  form?.requestSubmit()
  expect(onSubmit).toHaveBeenCalledTimes(1)
  await expect.element(screen.getByRole('button')).toHaveAttribute('aria-disabled', 'true')
  answer({ form: 'Not sent.', fields: { email: 'Unknown.' } })
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Not sent.')
  await expect.element(screen.getByLabelText('Email')).toHaveFocus()
  await expect.element(screen.getByLabelText('Code')).toHaveValue('123456')
  await expect.element(screen.getByRole('button')).not.toHaveAttribute('aria-disabled')
})

it('shows a thrown error as the form’s error', async () => {
  const screen = await render(<Page onSubmit={() => Promise.reject(new Error('offline'))} />)
  await screen.getByLabelText('Code').fill('1')
  await screen.getByRole('button').click()
  await expect.element(screen.getByRole('alert')).toHaveTextContent('No answer.')
})

it('validates a field on blur, but not on the way to the submit button', async () => {
  const Short = () => {
    const form = useForm({
      initial: { code: '' },
      validate: ({ code }) => (code.length < 6 ? { code: 'Too short.' } : {}),
      onSubmit: () => undefined,
    })
    return (
      <form {...form.props}>
        <Field label="Code" error={form.errors.code}>
          <Input {...form.field('code')} />
        </Field>
        <Button>Other</Button>
        <Button type="submit">Send</Button>
      </form>
    )
  }
  const screen = await render(<Short />)
  const code = screen.getByLabelText('Code')
  await code.fill('1')
  ;((await screen.getByRole('button', { name: 'Send' }).findElement()) as HTMLElement).focus()
  await new Promise((resolve) => setTimeout(resolve, 50))
  await expect.element(code).not.toHaveAttribute('aria-invalid', 'true')
  ;((await code.findElement()) as HTMLElement).focus()
  ;((await screen.getByRole('button', { name: 'Other' }).findElement()) as HTMLElement).focus()
  await expect.element(code).toHaveAttribute('aria-invalid', 'true')
})
